/** Thrown when an account cannot be connected or removed; the message says what to do. */
export class AccountError extends Error {
  override readonly name = "AccountError";
}
