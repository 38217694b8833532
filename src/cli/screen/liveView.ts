import { realClock } from "../../index.js";
import type { Fact, ServerStatus, Supervisor } from "../../index.js";
import { print } from "../context/context.js";
import type { Context } from "../context/context.js";
import { everyFact } from "./everyFact.js";
import { factLine } from "./factLine.js";
import { openScreen } from "./screen.js";
import { serverTable, summaryLine } from "./serverTable.js";
import { jsonText, truncate } from "./visible.js";
import { every } from "../context/wait.js";

const newsShown = 6;

/** Shows the fleet until closed: a table that redraws itself on a terminal, one line per fact elsewhere. */
export function showFleet(context: Context, supervisor: Supervisor): { close(): void } {
  return context.terminal.live ? showTable(context, supervisor) : showLines(context, supervisor);
}

/** Prints every fact as one JSON object per line until closed. */
export function printFacts(context: Context, supervisor: Supervisor): { close(): void } {
  return everyFact(supervisor, (fact) => print(context, jsonText(fact)));
}

function showTable(context: Context, supervisor: Supervisor): { close(): void } {
  const { stdout, colors } = context.terminal;
  const screen = openScreen(stdout, realClock);
  const ticking = new AbortController();
  const stopping = context.interrupts.signal;
  const order = firstSeen();
  let rows: readonly ServerStatus[] = [];
  let news: string[] = [];
  const redraw = () =>
    screen.draw((width) => {
      const now = supervisor.servers();
      // While stopping, one after the other goes: the table keeps them, to show how they ended.
      const gone = stopping.aborted ? rows.filter((row) => !now.some((each) => each.id === row.id)) : [];
      const ended = gone.map(retired);
      for (const { id } of now) order(id);
      rows = [...now, ...ended].toSorted((one, other) => order(one.id) - order(other.id));
      return [
        colors.dim(truncate(summaryLine(rows), width)),
        ...serverTable(rows, width, colors, realClock.now()),
        "",
        ...news.map((line) => colors.dim(truncate(line, width))),
        colors.dim(truncate(stopping.aborted ? "" : "Ctrl-C stops", width)),
      ];
    });
  const onFact = (fact: Fact) => {
    if (isNews(fact)) news = [...news, factLine(fact)].slice(-newsShown);
    redraw();
  };
  const subscriptions = [supervisor.servers$.subscribe(redraw), supervisor.events$.subscribe(onFact)];
  const release = context.foreground.use({ begin: () => screen.pause(), end: () => screen.resume() });
  // The time to the next attempt counts down, and latencies move without a fact of state.
  void every(1000, ticking.signal, redraw);
  return {
    close() {
      ticking.abort();
      for (const subscription of subscriptions) subscription.unsubscribe();
      release();
      screen.close();
    },
  };
}

function retired(server: ServerStatus): ServerStatus {
  return { ...server, state: "retired", pids: [] };
}

/** The place of each id in the order in which they were first asked for. */
function firstSeen(): (id: string) => number {
  const places = new Map<string, number>();
  return (id) => {
    const place = places.get(id) ?? places.size;
    places.set(id, place);
    return place;
  };
}

function showLines(context: Context, supervisor: Supervisor): { close(): void } {
  return everyFact(supervisor, (fact) => {
    if (isNews(fact)) print(context, factLine(fact));
  });
}

/** Calls come by the thousand: the table counts them, and only those that fail are told. */
function isNews(fact: Fact): boolean {
  if (fact.type === "mcp.call.settled") return !fact.ok;
  return fact.type !== "mcp.call.started" && fact.type !== "mcp.call.progress";
}
