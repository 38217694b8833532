import type { Canned, Routes } from "./fake.js";

/** One tool with a good call, a bad one, and what has to come of them. */
export interface ToolCase {
  readonly tool: string;
  readonly kind: "read" | "write";
  readonly args: Record<string, unknown>;
  readonly routes: Routes;
  /** structuredContent, to the letter. */
  readonly result: unknown;
  /** The last request: its query and JSON body, as far as they are named. */
  readonly asks?: { readonly query?: Record<string, string>; readonly json?: unknown };
  readonly bad: { readonly args: Record<string, unknown>; readonly says: string };
}

/** One service: how it signs, how it says "expired" and "too many requests". */
export interface ServiceCase {
  readonly id: string;
  readonly name: string;
  /** Header and value that every request must carry, with TOKEN in the token's place. */
  readonly signed: readonly [string, string];
  readonly expired: Canned;
  readonly limited: Canned;
  /** What the rate limit's sentence names. */
  readonly wait: string;
  readonly tools: readonly ToolCase[];
}
