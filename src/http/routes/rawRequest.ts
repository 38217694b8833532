import type { IncomingMessage, ServerResponse } from "node:http";

/** A request as Node has it. Both are there where the API hangs on a Node server, and neither where it is mounted elsewhere. */
export interface RawRequest {
  /** The request. */
  readonly incoming?: IncomingMessage;
  /** Its answer. */
  readonly outgoing?: ServerResponse;
}
