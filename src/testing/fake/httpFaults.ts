import type { ServerResponse } from "node:http";
import { createGzip } from "node:zlib";
import type { FakeFault } from "./types.js";

type Respond = (fault: FakeFault, message: object, response: ServerResponse) => void;

const json = { "content-type": "application/json" };

/** The answers over HTTP that are none. */
const answers: Partial<Record<FakeFault["fault"], Respond>> = {
  "http-status": ({ code = 500, headers = {}, text = "told to fail" }, _, response) =>
    void response.writeHead(code, headers).end(text),
  redirect: ({ code = 307, text = "http://127.0.0.1:9/elsewhere" }, _, response) =>
    void response.writeHead(code, { location: text }).end(),
  "sse-cut": (_, message, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const whole = `data: ${JSON.stringify(message)}`;
    response.write(whole.slice(0, whole.length / 2), () => response.destroy());
  },
  "slow-body": ({ ms = 100 }, message, response) => {
    response.writeHead(200, json);
    drip(response, Buffer.from(JSON.stringify(message)), 0, ms);
  },
  "gzip-bomb": ({ bytes = 512 * 1024 * 1024 }, _, response) => {
    response.writeHead(200, { ...json, "content-encoding": "gzip" });
    inflateTo(response, bytes);
  },
};

/** Answers one request the way the fault says. */
export function respondWith(fault: FakeFault, message: object, response: ServerResponse): void {
  answers[fault.fault]?.(fault, message, response);
}

function drip(response: ServerResponse, body: Buffer, at: number, everyMs: number): void {
  if (response.destroyed) return;
  if (at >= body.length) return void response.end();
  response.write(body.subarray(at, at + 1));
  setTimeout(() => drip(response, body, at + 1, everyMs), everyMs).unref();
}

/** Sends so many bytes of one endless JSON text, packed; never holds more than a chunk of it. */
function inflateTo(response: ServerResponse, bytes: number): void {
  const gzip = createGzip();
  const chunk = Buffer.alloc(256 * 1024, "a");
  gzip.pipe(response);
  gzip.write('"');
  const more = (left: number): void => {
    if (response.destroyed) return void gzip.destroy();
    if (left <= 0) return void gzip.end('"');
    gzip.write(chunk, () => more(left - chunk.length));
  };
  more(bytes);
}
