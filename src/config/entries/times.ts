import type { ServerSpec } from "../../spec.js";
import type { FieldContext, Fields } from "../fields/fields.js";
import { duration, group, noteUnknown } from "../fields/fields.js";

/** Every duration of an entry in milliseconds, with its default. Plain numbers count in `numbersAre`. */
export function readTimes(told: FieldContext, fields: Fields, numbersAre: "s" | "ms") {
  const time = (field: string, atLeastMs: number, atMostMs?: number): number | undefined =>
    duration(told, fields, field, {
      numbersAre,
      atLeastMs,
      ...(atMostMs === undefined ? {} : { atMostMs }),
    });
  // Plain numbers of seconds are 1 to 600; a longer wait has to be written out as a duration.
  const seconds = numbersAre === "s" && typeof fields["timeout"] === "number";
  const callTimeoutMs = seconds ? time("timeout", 1000, 600_000) : time("timeout", 1);
  return {
    callTimeoutMs: callTimeoutMs ?? (numbersAre === "s" ? 60_000 : 300_000),
    callTotalMs: time("maxTimeout", 1),
    connectTimeoutMs: time("connectTimeout", 1) ?? 20_000,
    healthEveryMs: time("health", 0) ?? 0,
    shutdown: readShutdown(told, fields, numbersAre),
    idleTimeoutMs: time("idleTimeout", 1),
    maxLifetimeMs: time("maxLifetime", 1),
  };
}

function readShutdown(told: FieldContext, fields: Fields, numbersAre: "s" | "ms"): ServerSpec["shutdown"] {
  const given = group(told, fields, "shutdown") ?? {};
  const inner = { ...told, path: [told.path, "shutdown"].filter((each) => each !== "").join(".") };
  const step = (field: string, otherwise: number): number =>
    duration(inner, given, field, { numbersAre, atLeastMs: 0, atMostMs: 600_000 }) ?? otherwise;
  noteUnknown(inner, given, ["eof", "term", "kill"]);
  return { eofMs: step("eof", 2000), termMs: step("term", 2000), killMs: step("kill", 3000) };
}
