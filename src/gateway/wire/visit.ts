import type { IncomingMessage, ServerResponse } from "node:http";
import type { Consumer } from "../consumers/consumer.js";

/** One HTTP request of a consumer that was let in. */
export interface Visit {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly consumer: Consumer;
  /** The one server of a path with untouched names. */
  readonly only: string | undefined;
}
