import type { IncomingMessage, ServerResponse } from "node:http";
import type { Consumer } from "../consumers/consumer.js";
import type { Core } from "../requests/core.js";
import { codes, failed, isId, isRecord, modernRevision } from "../contract/protocol.js";
import type { Sessions } from "../sessions/sessions.js";
import { Beat } from "./beat.js";
import { isShallow, readBody } from "./body.js";
import { LegacyHttp } from "./legacyHttp.js";
import { isModern, one } from "./modernHead.js";
import { ModernHttp } from "./modernHttp.js";
import { refuse, unauthorized } from "./refuse.js";
import type { Visit } from "./visit.js";

export interface HttpParts {
  readonly core: Core;
  readonly sessions: Sessions;
  readonly bodyBytes: number;
  /** Whom a request belongs to; undefined: nobody we know. */
  readonly consumerOf: (incoming: IncomingMessage) => Consumer | undefined;
  /** The server of `/mcp/s/<server>`, when it is there and this consumer may see it. */
  readonly isServer: (consumer: Consumer, id: string) => boolean;
}

const path = /^\/mcp(?:\/s\/([^/?#]+))?\/?(?:\?.*)?$/;

/** Whether a request target is an endpoint of MCP here. */
export function isEndpoint(target: string): boolean {
  return path.test(target);
}

/** MCP over Streamable HTTP, all revisions since 2025-03-26 on one path. */
export class HttpWire {
  readonly #parts: HttpParts;
  readonly #beat = new Beat();
  readonly #legacy: LegacyHttp;
  readonly #modern: ModernHttp;

  constructor(parts: HttpParts) {
    this.#parts = parts;
    this.#legacy = new LegacyHttp(parts.core, parts.sessions, this.#beat);
    this.#modern = new ModernHttp(parts.core, this.#beat);
  }

  /** Open answers and streams. */
  get open(): number {
    return this.#beat.size;
  }

  /** Serves a request whose head was judged (host, origin, length); never rejects. */
  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // A reader that goes away is no error of ours.
    response.on("error", () => undefined);
    const consumer = this.#parts.consumerOf(incoming);
    if (consumer === undefined) return unauthorized(response);
    const named = path.exec(incoming.url ?? "")?.[1];
    const only = named === undefined ? undefined : decodePath(named);
    if (named !== undefined && (only === undefined || !this.#parts.isServer(consumer, only)))
      return refuse(response, 404, failed(codes.invalidRequest, "there is nothing here").error);
    const visit: Visit = { incoming, response, consumer, only };
    if (incoming.method === "POST") return this.#post(visit);
    const version = one(incoming.headers["mcp-protocol-version"]);
    const isLegacy = version === undefined || version < modernRevision;
    if (isLegacy && incoming.method === "GET") return this.#legacy.stream(visit);
    if (isLegacy && incoming.method === "DELETE") return this.#legacy.leave(visit);
    response.setHeader("allow", isLegacy ? "GET, POST, DELETE" : "POST");
    refuse(response, 405, failed(codes.limit, "Method not allowed").error);
  }

  /** Ends everything of a consumer at once. */
  endOf(consumer: Consumer): void {
    this.#parts.sessions.endOf(consumer);
    this.#modern.endOf(consumer);
  }

  stop(): void {
    this.#beat.stop();
    this.#parts.sessions.close();
  }

  async #post(visit: Visit): Promise<void> {
    const { incoming, response } = visit;
    const { headers } = incoming;
    if (!/^application\/json(?:\s*;|\s*$)/i.test(headers["content-type"] ?? ""))
      return refuse(
        response,
        415,
        failed(codes.invalidRequest, "the content type must be application/json").error,
      );
    if (!acceptsBoth(headers.accept ?? "*/*"))
      return refuse(
        response,
        406,
        failed(codes.invalidRequest, "Accept must name application/json and text/event-stream").error,
      );
    const body = await readBody(incoming, this.#parts.bodyBytes);
    if (!("problem" in body)) return this.#message(body.text, visit);
    if (body.problem === "broken") return void response.destroy();
    response.setHeader("connection", "close");
    refuse(response, 413, failed(codes.invalidRequest, "the body is too large").error);
  }

  #message(text: string, visit: Visit): void {
    const { incoming, response } = visit;
    let message: unknown;
    try {
      message = isShallow(text) ? JSON.parse(text) : undefined;
    } catch {
      return refuse(response, 400, failed(codes.parse, "the body is no JSON").error);
    }
    if (Array.isArray(message)) return this.#legacy.batch(message, visit);
    if (!isRecord(message) || message["jsonrpc"] !== "2.0")
      return refuse(response, 400, failed(codes.invalidRequest, "the body is no JSON-RPC 2.0 message").error);
    const { id, method } = message;
    if (typeof method === "string" && id !== undefined && !isId(id))
      return refuse(response, 400, failed(codes.invalidRequest, "the id is neither text nor number").error);
    if (typeof method === "string" && isModern(incoming.headers, message))
      return this.#modern.serve(message, visit);
    this.#legacy.serve(message, visit);
  }
}

function acceptsBoth(accept: string): boolean {
  return (
    /application\/json|application\/\*|\*\/\*/i.test(accept) &&
    /text\/event-stream|text\/\*|\*\/\*/i.test(accept)
  );
}

function decodePath(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape names nothing.
    return undefined;
  }
}
