/** Why a request to a service failed: one word per thing a caller can do about it. */
export type ProblemKind =
  | "not-connected"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "invalid"
  | "rate-limited"
  | "timeout"
  | "unreachable"
  | "too-large"
  | "unexpected"
  | "service-down"
  | "cancelled";

/** Thrown by clients and tools; its message is written for a model: what happened, and what to do. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind: ProblemKind;
  readonly retryAfterMs: number | undefined;
  constructor(kind: ProblemKind, message: string, about: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: about.cause });
    this.kind = kind;
    this.retryAfterMs = about.retryAfterMs;
  }
}
