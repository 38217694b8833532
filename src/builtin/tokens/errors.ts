/** Thrown when the token store cannot be read, written or locked; the message says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}
