import { isServing } from "../../index.js";
import type { ServerState, ServerStatus } from "../../index.js";
import { table } from "./table.js";
import type { Cell, Column } from "./table.js";
import type { Colors } from "../context/terminal.js";
import { visible } from "./visible.js";

const columns: readonly Column[] = [
  { title: "SERVER" },
  { title: "STATE" },
  { title: "GEN", align: "right", worth: 1 },
  { title: "TOOLS", align: "right", worth: 6 },
  { title: "PID", align: "right", worth: 2 },
  { title: "CALLS", align: "right", worth: 5 },
  { title: "P50", align: "right", worth: 3 },
  { title: "P95", align: "right", worth: 4 },
  { title: "LAST CAUSE", shrinkTo: 24 },
];

/**
 * All servers as lines of at most `width` columns, those in trouble first; `now` is epoch ms, for the time to the next
 * attempt.
 */
export function serverTable(
  servers: readonly ServerStatus[],
  width: number,
  colors: Colors,
  now: number,
): string[] {
  return table(
    columns,
    troubledFirst(servers).map((server) => cells(server, colors, now)),
    width,
  );
}

const troubled: ReadonlySet<ServerState> = new Set(["parked", "stuck", "authorizing", "reconnecting"]);

function rank({ state }: ServerStatus): number {
  if (troubled.has(state)) return 0;
  return state === "disabled" || state === "retired" ? 2 : 1;
}

/** Those in trouble, then those that are on their way or serve, then those that rest; else the order stays. */
export function troubledFirst(servers: readonly ServerStatus[]): ServerStatus[] {
  return servers.toSorted((one, other) => rank(one) - rank(other));
}

/** `3 ready, 2 parked`: how many servers are in which state, most first. */
export function summaryLine(servers: readonly ServerStatus[]): string {
  const counts = new Map<string, number>();
  for (const { state } of servers) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([state, count]) => `${count} ${state}`)
    .join(", ");
}

function cells(server: ServerStatus, colors: Colors, now: number): Cell[] {
  return [
    { text: visible(server.id), paint: colors.bold },
    { text: server.state, paint: stateColor(server.state, colors) },
    { text: String(server.generation) },
    { text: String(server.toolCount) },
    { text: pids(server.pids) },
    { text: server.failures === 0 ? String(server.calls) : `${server.calls} (${server.failures} failed)` },
    { text: milliseconds(server.latency?.p50) },
    { text: milliseconds(server.latency?.p95) },
    { text: cause(server, now), paint: colors.dim },
  ];
}

function stateColor(state: ServerState, colors: Colors): (text: string) => string {
  if (isServing(state)) return colors.green;
  if (state === "parked" || state === "stuck") return colors.red;
  return state === "idle" || state === "disabled" || state === "retired" ? colors.dim : colors.yellow;
}

function pids(all: readonly number[]): string {
  if (all.length === 0) return "-";
  return all.length === 1 ? String(all[0]) : `${all[0]} +${all.length - 1}`;
}

/** `0.84 ms`, `12 ms`, `1.2 s`; `-` when there is nothing to say. */
export function milliseconds(ms: number | undefined): string {
  if (ms === undefined) return "-";
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 10 ? `${ms.toFixed(2)} ms` : `${Math.round(ms)} ms`;
}

function cause(server: ServerStatus, now: number): string {
  const isAsWished = isServing(server.state) && server.outdated !== true;
  const error = isAsWished ? undefined : server.lastError;
  const text = visible(withoutSubject((error ?? server.cause).message));
  if (server.nextAttemptAt === undefined || server.nextAttemptAt <= now) return text;
  return `next try in ${Math.ceil((server.nextAttemptAt - now) / 1000)} s: ${text}`;
}

/** A message on a line that names its server already: without the `server "x": ` it begins with. */
export function withoutSubject(message: string): string {
  return message.replace(/^server "[^"]*":? /, "");
}
