/** What the exit code of every command means; signals add 128 to their number. */
export const exitCodes = {
  ok: 0,
  /** The call, or one of the servers, failed. */
  failed: 1,
  /** Wrong usage, or something is wrong with a configuration. */
  usage: 2,
} as const;

/** The command line itself makes no sense; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
