import type { Duration } from "../../config/entries/input.js";
import { parseDuration } from "../../config/fields/duration.js";
import type { Failure } from "../../errors.js";
import type { ServerSpec } from "../../spec.js";
import { prepareArguments } from "../../tools/arguments.js";
import type { Prepared } from "../../tools/arguments.js";
import type { ToolEntry } from "../../tools/catalog.js";
import type { CallSubject } from "../contract/calls.js";
import type { SupervisorOptions } from "../contract/options.js";

export function wrongArguments(message: string): Failure {
  return { kind: "invalid-arguments", message };
}

/** Milliseconds, or why the text is no timeout. */
export function readTimeout(timeout: Duration): number | { problem: string } {
  const read = parseDuration(timeout);
  if (!read.ok) return read;
  return read.ms > 0 ? read.ms : { problem: "must be above 0 ms" };
}

/** Without a word about it no call lasts longer, however much progress comes. */
const longestMs = 3_600_000;
const totalFactor = 10;

/** The limit of a call in all, or why the text is none. */
export function totalOf(
  idleMs: number,
  given: Duration | undefined,
  { callTotalMs }: Pick<ServerSpec, "callTotalMs">,
): number | { problem: string } {
  const read = given === undefined ? callTotalMs : readTimeout(given);
  if (read === undefined) return Math.min(idleMs * totalFactor, Math.max(longestMs, idleMs));
  return read;
}

/** A host's object may throw when it is read: that is a fault of the arguments. */
export function prepare(args: unknown, entry: ToolEntry, coerce: boolean): Prepared {
  try {
    return prepareArguments(args, entry, { coerce });
  } catch (error) {
    return { ok: false, message: `the arguments of "${entry.name}" cannot be read: ${textOf(error)}` };
  }
}

/** What the host adds to `_meta`; a hook that throws or gives no texts adds nothing. */
export function metaJsonOf(callMeta: NonNullable<SupervisorOptions["callMeta"]>, of: CallSubject): string {
  try {
    return Object.entries(callMeta(of) ?? {})
      .filter(([, value]) => typeof value === "string")
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`)
      .join("");
  } catch {
    // The host's own fault must not cost it the call.
    return "";
  }
}

/** JSON of an object, or undefined: nothing else may go out as arguments. */
export function encode(args: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(args);
    return text?.[0] === "{" ? text : undefined;
  } catch {
    // Cycles and BigInt: the caller is told, nothing is sent.
    return undefined;
  }
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
