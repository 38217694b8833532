import { ConnectError } from "../errors.js";
import type { Cause } from "../errors.js";

/** The same cause with its phase: a process that ends in the handshake mostly cannot start at all. */
export function beforeReady(cause: Cause): Cause {
  if (cause.exitCode === undefined && cause.signal === undefined) return cause;
  return {
    ...cause,
    kind: "exited-before-ready",
    message: `before it answered initialize, ${cause.message}`,
  };
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
