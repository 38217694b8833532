import type { Duplex, Readable, Writable } from "node:stream";
import type { Consumer } from "../consumers/consumer.js";
import type { Core } from "../requests/core.js";
import { lineReader } from "./lineReader.js";
import { LineConnection } from "./lines.js";

/** So much that nobody takes, and the connection ends: a reader that stops must cost the others nothing. */
const mostUntaken = 1024 * 1024;

/** Serves a consumer over a pair of streams until its input ends or its consumer is void; resolves when it is over. */
export function serveStreams(
  core: Core,
  consumer: Consumer,
  only: string | undefined,
  input: Readable,
  output: Writable,
): Promise<void> {
  return new Promise((resolve) => {
    const connection = new LineConnection(core, consumer, only, (text) => {
      output.write(`${text}\n`);
      if (output.writableLength > mostUntaken) end();
    });
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      connection.end();
      consumer.end.signal.removeEventListener("abort", end);
      input.off("data", read);
      if (isDuplex(output)) output.destroy();
      resolve();
    };
    const read = lineReader((line) => connection.take(line), undefined, end);
    input.on("data", read);
    for (const event of ["end", "close", "error"]) input.on(event, end);
    output.on("error", end);
    output.on("close", end);
    consumer.end.signal.addEventListener("abort", end);
  });
}

function isDuplex(stream: Writable): stream is Duplex {
  return typeof (stream as Duplex).read === "function";
}
