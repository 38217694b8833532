import type { ServerState } from "../events.js";

/** Which state can follow which, as facts tell them; the tests hold it against all paths of the chart. */
export const serverPaths: Readonly<Record<ServerState | "new", readonly ServerState[]>> = {
  new: ["deciding"],
  deciding: ["connecting", "disabled", "idle", "parked", "reconnecting", "retired"],
  disabled: ["deciding", "retired"],
  idle: ["connecting", "deciding", "reconnecting", "retired"],
  parked: ["authorizing", "connecting", "deciding", "idle", "retired"],
  authorizing: ["connecting", "deciding", "idle", "parked", "retired"],
  reconnecting: ["connecting", "deciding", "idle", "retired"],
  connecting: ["closing", "initializing"],
  initializing: ["closing", "listing"],
  listing: ["closing", "ready"],
  ready: ["closing", "draining", "refreshing", "replacing"],
  refreshing: ["closing", "draining", "ready", "replacing"],
  replacing: ["closing", "draining", "ready"],
  draining: ["closing"],
  closing: ["deciding", "stuck"],
  stuck: ["closing"],
  retired: [],
};
