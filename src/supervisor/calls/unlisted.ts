import type { Failure } from "../../errors.js";
import { unknownTool } from "../../policy/failures.js";
import { isAttempting } from "../state/attempts.js";
import type { ServerRecord } from "../state/serverRecord.js";
import type { SharedState } from "../state/sharedState.js";
import { notUp, ownerToBe } from "./early.js";

/** So many servers are named; the others are counted. */
const mostNamed = 5;

/**
 * What a call of a name that no list of tools has fails with. Unknown is only what nobody offers: a tool of a server that
 * is off, held back, not up or gone is unavailable, with the reason.
 */
export function unlisted(name: string, shared: SharedState): Failure {
  const { catalog, records } = shared;
  if (catalog.excluded(name) !== undefined)
    return unknown(`tool "${name}" is switched off by a rule of its server (tools.include / tools.exclude)`);
  const owner = ownerToBe(name, shared);
  if (owner !== undefined) return notUp(owner);
  const left = catalog.departed(name);
  if (left !== undefined)
    return {
      kind: "unavailable",
      message: `"${name}" cannot be called: its server "${left}" was removed from the configuration`,
    };
  const { message } = unknownTool(name, catalog.near(name));
  const starting = [...records.values()].filter((each) => isStarting(each, shared));
  return unknown(starting.length === 0 ? message : `${message}; ${stillStarting(starting)}`);
}

/** It is being tried, and its tools are not known from an earlier session. */
function isStarting(record: ServerRecord, { catalog }: SharedState): boolean {
  return (
    record.spec.enabled &&
    record.live === undefined &&
    (isAttempting(record) || record.state === "reconnecting") &&
    catalog.count(record.id) === 0
  );
}

function stillStarting(starting: readonly ServerRecord[]): string {
  const named = starting.slice(0, mostNamed).map(({ spec, state }) => `"${spec.name}" (${state})`);
  const more = starting.length > named.length ? ` and ${starting.length - named.length} more` : "";
  const known =
    starting.length === 1
      ? "a server is still starting, its tools are not known yet"
      : "servers are still starting, their tools are not known yet";
  return `${known}: ${named.join(", ")}${more}`;
}

function unknown(message: string): Failure {
  return { kind: "unknown-tool", message };
}
