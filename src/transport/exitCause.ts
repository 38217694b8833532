import type { Cause } from "../errors.js";
import { tellingLine } from "../policy/tellingLine.js";
import type { ProcessExit } from "../process/platform/platform.js";

export interface ExitFacts extends ProcessExit {
  readonly id: string;
  readonly stderrTail: readonly string[];
  /** We were ending it ourselves. */
  readonly requested: boolean;
}

/** Why a server's process is gone, from what the system says about its end. */
export function exitCause({ id, code, signal, stderrTail, requested }: ExitFacts): Cause {
  const details = {
    ...(code === null ? {} : { exitCode: code }),
    ...(signal === null ? {} : { signal }),
    ...(stderrTail.length === 0 ? {} : { stderrTail }),
  };
  const who = `server "${id}"`;
  if (requested) return { kind: "requested", message: `${who} was stopped`, ...details };
  const told = tellingLine(stderrTail);
  const advice = told?.advice === undefined ? "" : ` (${told.advice})`;
  const hint = told === undefined ? "" : `; its stderr says: ${told.line}${advice}`;
  if (signal !== null) return { kind: "killed", message: `${who} ${killedBy(signal)}${hint}`, ...details };
  if (code === 0)
    return { kind: "clean-exit", message: `${who} ended by itself with code 0${hint}`, ...details };
  return {
    kind: "crashed",
    message: `${who} ended with exit code ${code}${wrapped(code)}${hint}`,
    ...details,
  };
}

function killedBy(signal: NodeJS.Signals): string {
  return signal === "SIGKILL"
    ? "was killed by SIGKILL, which we did not send (somebody did, or the machine was out of memory)"
    : `was killed by ${signal}`;
}

/** Shells and launchers report the signal that ended their child as 128 + its number. */
function wrapped(code: number | null): string {
  if (code === 137) return " (its child was killed by SIGKILL, often because memory ran out)";
  return code !== null && code > 128 && code < 160 ? ` (its child was killed by signal ${code - 128})` : "";
}
