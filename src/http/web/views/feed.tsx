import { computed, signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Fact } from "../../../index.js";
import { factLine } from "../model/factLine.js";
import { clockTime, visible } from "../model/format.js";
import { gap, history, selected } from "../model/store.js";

const kinds = {
  all: [],
  states: ["mcp.state", "mcp.connected", "mcp.disconnected", "mcp.error", "mcp.retired", "mcp.tools"],
  calls: [
    "mcp.call.started",
    "mcp.call.progress",
    "mcp.call.settled",
    "mcp.approval.requested",
    "mcp.approval.decided",
  ],
  logs: ["mcp.log", "mcp.config"],
} satisfies Record<string, Fact["type"][]>;

const kind = signal<keyof typeof kinds>("all");
const onlySelected = signal(false);
const words = signal("");

const shown = computed(() => {
  const types: readonly string[] = kinds[kind.value];
  const server = onlySelected.value ? selected.value?.id : undefined;
  const text = words.value.toLowerCase();
  const found: Fact[] = [];
  const { facts } = history.value;
  for (let at = facts.length - 1; at >= 0 && found.length < 200; at--) {
    const fact = facts[at];
    if (fact === undefined || (types.length > 0 && !types.includes(fact.type))) continue;
    const line = factLine(fact);
    if (server !== undefined && line.server !== server) continue;
    if (text !== "" && !`${line.server} ${fact.type} ${line.text}`.toLowerCase().includes(text)) continue;
    found.push(fact);
  }
  return found;
});

/** Everything that was told, newest first, with filters. */
export function Feed(): JSX.Element {
  return (
    <section class="feed" aria-label="Events">
      <h2>Events</h2>
      <div class="filters">
        {(Object.keys(kinds) as (keyof typeof kinds)[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={kind.value === name}
            onClick={() => (kind.value = name)}
          >
            {name}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={onlySelected.value}
          onClick={() => (onlySelected.value = !onlySelected.value)}
        >
          this server
        </button>
        <input
          type="search"
          id="feed-search"
          placeholder="Filter  ( f )"
          aria-label="Filter events"
          value={words.value}
          onInput={(event) => (words.value = event.currentTarget.value)}
        />
      </div>
      {gap.value ? <p class="wait">Some events are older than the journal and are missing here.</p> : null}
      <ol data-testid="feed" tabIndex={0} aria-label="Events, newest first">
        {shown.value.map((fact) => {
          const line = factLine(fact);
          return (
            <li key={fact.seq} class={line.tone} title={`${fact.type} #${fact.seq}`}>
              <time>{clockTime(fact.at)}</time>
              <b>{line.server}</b>
              <span>{visible(line.text)}</span>
            </li>
          );
        })}
      </ol>
      {shown.value.length === 0 ? <p class="empty">Nothing (that matches) yet.</p> : null}
    </section>
  );
}
