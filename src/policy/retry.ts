import type { Sent } from "../errors.js";
import type { ToolAnnotations } from "../protocol/mcp.js";

/** What is known about a call whose connection broke. */
export interface RetryQuestion {
  readonly sent: Sent;
  readonly annotations: ToolAnnotations | undefined;
  readonly trusted: boolean;
  /** The server's own setting: `safe` allows a second sending of tools that say they can bear it. */
  readonly retry: "never" | "safe";
  /** Attempts made so far, 1 after the first. */
  readonly attempts: number;
}

const mostAttempts = 2;

/**
 * Whether a call may be sent again by ourselves. At most once in all, unless it provably never left us, or its tool is
 * read-only or idempotent by exact hints of a trusted server whose configuration allows it. Never more than two attempts.
 */
export function mayRetry({ sent, annotations, trusted, retry, attempts }: RetryQuestion): boolean {
  if (attempts >= mostAttempts) return false;
  if (sent === "no") return true;
  if (!trusted || retry !== "safe") return false;
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
}
