import type { RequestId } from "../protocol/jsonrpc.js";
import type { LostLine, OpenLine } from "../protocol/lines.js";
import { lostResponseId, openResponseId } from "../protocol/lostId.js";
import type { TransportHandlers } from "./transport.js";

export interface OversizeOptions {
  /** Server id, for messages. */
  readonly id: string;
  readonly messageBytes: number;
  /** The server writes a line that will not end. */
  onEndless(message: string): void;
  warn(kind: string, message: string): void;
}

/** A call is not kept waiting for the end of its answer once that is so many times the limit. */
const hopelessAt = 4;
/** A line of so many times the limit, and of so many bytes whatever the limit, has no end. */
const endlessAt = 16;
const endlessBytes = 80 * 1024 * 1024;

/** What becomes of a line over the limit: it is lost alone, and its call is told as soon as its id is known. */
export function createOversize(options: OversizeOptions, handlers: TransportHandlers) {
  const { id: server, messageBytes } = options;
  let hopeless = false;
  let told = false;

  const lose = (id: RequestId | undefined, message: string): void => {
    if (id === undefined || told) return;
    told = true;
    const text = `server "${server}" ${message}`;
    handlers.onLost(id, { sent: "yes", cause: { kind: "not-mcp", message: text } });
  };

  return {
    onGrowing({ bytes, head }: OpenLine): void {
      if (bytes > Math.max(messageBytes * endlessAt, endlessBytes))
        return options.onEndless(
          `has written one line of ${bytes} bytes, at a limit of ${messageBytes}, and no end`,
        );
      if (hopeless || bytes <= messageBytes * hopelessAt) return;
      hopeless = true;
      lose(openResponseId(head), messageOf("sends", `more than ${bytes}`, messageBytes, "is"));
    },
    onOversize(line: LostLine): void {
      const message = messageOf("sent", `${line.bytes}`, line.limit, "was");
      options.warn("too-large", message);
      lose(lostResponseId(line.head, line.tail), message);
      hopeless = false;
      told = false;
    },
  };
}

function messageOf(sends: string, bytes: string, limit: number, is: string): string {
  return (
    `${sends} a message of ${bytes} bytes, over the limit of ${limit} bytes; ` +
    `it ${is} dropped (raise limits.messageBytes to take it)`
  );
}
