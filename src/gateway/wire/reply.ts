import type { ServerResponse } from "node:http";
import type { Outlet } from "../contract/outlet.js";
import { codes, isRecord } from "../contract/protocol.js";
import type { RpcError } from "../contract/protocol.js";
import type { Beat } from "./beat.js";

/** So much that nobody takes, and the stream ends: a reader that stops must cost the others nothing. */
const mostUntaken = 1024 * 1024;
/** An answer that takes longer becomes a stream, so that nothing on the way takes the connection for dead. */
const patienceMs = 1000;
const quietMs = 15_000;
const common = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** The HTTP answer to one POST: one JSON text, or a stream of events once something comes before the answer. */
export class Reply implements Outlet {
  readonly #response: ServerResponse;
  readonly #modern: boolean;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #clock: Beat;
  #expected: number;
  #isStream = false;
  #answers: string[] | undefined;
  isOver = false;
  /** Epoch ms of the last byte. */
  at = Date.now();

  constructor(
    response: ServerResponse,
    options: {
      modern: boolean;
      expected: number;
      batch?: boolean;
      headers?: Readonly<Record<string, string>>;
      beat: Beat;
    },
  ) {
    this.#response = response;
    this.#modern = options.modern;
    this.#expected = options.expected;
    this.#answers = options.batch === true ? [] : undefined;
    this.#headers = options.headers ?? {};
    this.#clock = options.beat;
    this.#clock.add(this);
    response.on("close", () => this.#end());
  }

  /** Makes it a stream at once. */
  open(): void {
    if (this.#isStream || this.isOver) return;
    this.#isStream = true;
    this.#response.writeHead(200, {
      ...common,
      ...this.#headers,
      "content-type": "text/event-stream",
      "x-accel-buffering": "no",
    });
    this.#response.flushHeaders();
    for (const text of this.#answers?.splice(0) ?? []) this.#write(text);
  }

  send(text: string): void {
    if (this.isOver) return;
    this.open();
    this.#write(text);
  }

  answer(text: string, error?: RpcError): void {
    if (this.isOver) return;
    this.#expected--;
    if (this.#isStream) {
      this.#write(text);
      if (this.#expected <= 0) this.#response.end();
      return;
    }
    if (this.#answers !== undefined) {
      this.#answers.push(text);
      if (this.#expected <= 0) this.#json(200, `[${this.#answers.join(",")}]`);
      return;
    }
    this.#json(error === undefined ? 200 : statusOf(error, this.#modern), text, error);
  }

  drop(): void {
    if (this.isOver) return;
    this.#expected--;
    if (this.#expected > 0) return;
    this.open();
    this.#response.end();
  }

  beat(now: number): void {
    if (!this.#isStream && now - this.at >= patienceMs) this.open();
    else if (this.#isStream && now - this.at >= quietMs) this.#raw(": still here\n\n");
  }

  #write(text: string): void {
    this.#raw(`data: ${text}\n\n`);
  }

  #raw(text: string): void {
    if (this.isOver) return;
    this.at = Date.now();
    this.#response.write(text);
    if (this.#response.writableLength > mostUntaken) this.#response.destroy();
  }

  #json(status: number, text: string, error?: RpcError): void {
    const body = Buffer.from(text);
    const wait = status === 429 ? retryAfter(error) : {};
    this.#response.writeHead(status, {
      ...common,
      ...this.#headers,
      ...wait,
      "content-type": "application/json",
      "content-length": body.length,
    });
    this.#response.end(body);
  }

  #end(): void {
    this.isOver = true;
    this.#clock.delete(this);
  }
}

/** The statuses that 2026-07-28 names; before it an error is an answer like any other. */
function statusOf({ code }: RpcError, modern: boolean): number {
  if (code === codes.limit) return 429;
  if (!modern) return 200;
  if (code === codes.unknownMethod) return 404;
  return code === codes.headerMismatch ||
    code === codes.missingCapability ||
    code === codes.unsupportedVersion
    ? 400
    : 200;
}

function retryAfter({ data }: Partial<RpcError> = {}): { "retry-after"?: string } {
  const ms = isRecord(data) ? Number(data["retryAfterMs"]) : NaN;
  return ms > 0 ? { "retry-after": String(Math.ceil(ms / 1000)) } : {};
}
