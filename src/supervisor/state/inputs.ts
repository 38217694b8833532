import type { JsonRpcError } from "../../protocol/jsonrpc.js";

export type Answer = { readonly result: object } | { readonly error: JsonRpcError };

/** The host's side of what servers ask: declared capabilities, and the answer to each request. */
export interface Inputs {
  /** What is declared to servers: only what has a handler. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Undefined when nobody answers such requests here. `signal` tells the host that nobody waits any more. */
  ask(server: string, method: string, params: unknown, signal: AbortSignal): Promise<Answer> | undefined;
}
