import { ConnectError } from "../errors.js";
import type { Cause } from "../errors.js";

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
