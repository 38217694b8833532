import type { RpcError } from "./protocol.js";

/** Where the messages that belong to one request go: its HTTP answer, or the one line of a connection. */
export interface Outlet {
  /** A notification or a question that comes before the answer. */
  send(text: string): void;
  /** The answer; `error` is what is in it, for a wire that has status codes. */
  answer(text: string, error?: RpcError): void;
  /** There will be no answer: the request was cancelled. */
  drop(): void;
}
