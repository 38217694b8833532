import { ConnectError } from "../errors.js";
import type { Cause } from "../errors.js";

/** How far a life had come when its process ended. */
export type Phase = "handshake" | "listing" | "serving";

const during: Record<Phase, string> = {
  handshake: "before it answered initialize",
  listing: "while it listed its tools",
  serving: "while it was in service",
};

/** The same cause with its phase: a process that ends in the handshake mostly cannot start at all. */
export function endedDuring(phase: Phase, cause: Cause): Cause {
  if ((cause.exitCode === undefined && cause.signal === undefined) || cause.kind === "requested")
    return cause;
  const message = `${during[phase]}, ${cause.message}`;
  return phase === "handshake" ? { ...cause, kind: "exited-before-ready", message } : { ...cause, message };
}

/** The cause inside whatever was thrown. */
export function causeOf(error: unknown): Cause {
  if (error instanceof ConnectError) return error.info;
  return { kind: "internal", message: error instanceof Error ? error.message : String(error) };
}

/** Every text of a cause without secrets. */
export function maskedCause(cause: Cause, mask: (text: string) => string): Cause {
  const { stderrTail } = cause;
  return {
    ...cause,
    message: mask(cause.message),
    ...(stderrTail === undefined ? {} : { stderrTail: stderrTail.map(mask) }),
  };
}
