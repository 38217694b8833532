import type { IncomingMessage, ServerResponse } from "node:http";
import type { Consumer } from "../consumer.js";
import type { Core } from "../core.js";
import { dispatch } from "../dispatch.js";
import { agreeOn } from "../initialize.js";
import type { LegacySession } from "../session.js";
import type { Sessions } from "../sessions.js";
import { hostOf } from "../peer.js";
import type { Peer } from "../peer.js";
import { answerText, codes, failed, isId, isRecord, meta, metaOf, modernRevision } from "../protocol.js";
import type { Json, RequestId, RpcError } from "../protocol.js";
import { isShallow, readBody } from "./body.js";
import { isModern, judgeModern, one } from "./modernHead.js";
import { Beat, Reply } from "./reply.js";

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

/** MCP over Streamable HTTP, all revisions since 2025-03-26 on one path. */
export class HttpWire {
  readonly #parts: HttpParts;
  readonly #beat = new Beat();
  readonly #modern = new Map<Consumer, Set<() => void>>();

  constructor(parts: HttpParts) {
    this.#parts = parts;
  }

  /** Open answers and streams. */
  get open(): number {
    return this.#beat.size;
  }

  static owns(url: string): boolean {
    return path.test(url);
  }

  /** Serves a request whose head was judged (host, origin, length); never rejects. */
  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { consumerOf, isServer } = this.#parts;
    // A reader that goes away is no error of ours.
    response.on("error", () => undefined);
    const consumer = consumerOf(incoming);
    if (consumer === undefined) return unauthorized(response);
    const named = path.exec(incoming.url ?? "")?.[1];
    const only = named === undefined ? undefined : safeDecode(named);
    if (named !== undefined && (only === undefined || !isServer(consumer, only)))
      return refuse(response, 404, failed(codes.invalidRequest, "there is nothing here").error);
    switch (incoming.method) {
      case "POST":
        return this.#post(incoming, response, consumer, only);
      case "GET":
        return this.#get(incoming, response, consumer, only);
      case "DELETE":
        return this.#delete(incoming, response, consumer, only);
      default:
        response.setHeader("allow", "GET, POST, DELETE");
        return refuse(response, 405, failed(codes.limit, "Method not allowed").error);
    }
  }

  /** Ends everything of a consumer at once. */
  endOf(consumer: Consumer): void {
    this.#parts.sessions.endOf(consumer);
    for (const end of this.#modern.get(consumer) ?? []) end();
  }

  stop(): void {
    this.#beat.stop();
    this.#parts.sessions.close();
  }

  async #post(incoming: IncomingMessage, response: ServerResponse, consumer: Consumer, only: string | undefined): Promise<void> {
    const { headers } = incoming;
    if (!/^application\/json(?:\s*;|\s*$)/i.test(headers["content-type"] ?? ""))
      return refuse(response, 415, failed(codes.invalidRequest, "the content type must be application/json").error);
    const accept = headers.accept ?? "*/*";
    if (!/application\/json|application\/\*|\*\/\*/i.test(accept) || !/text\/event-stream|text\/\*|\*\/\*/i.test(accept))
      return refuse(response, 406, failed(codes.invalidRequest, "Accept must name application/json and text/event-stream").error);
    const body = await readBody(incoming, this.#parts.bodyBytes);
    if ("problem" in body) {
      if (body.problem === "broken") return void response.destroy();
      response.setHeader("connection", "close");
      return refuse(response, 413, failed(codes.invalidRequest, "the body is too large").error);
    }
    let message: unknown;
    try {
      message = isShallow(body.text) ? JSON.parse(body.text) : undefined;
    } catch {
      return refuse(response, 400, failed(codes.parse, "the body is no JSON").error);
    }
    if (Array.isArray(message)) return this.#batch(message, incoming, response, consumer, only);
    if (!isRecord(message) || message["jsonrpc"] !== "2.0")
      return refuse(response, 400, failed(codes.invalidRequest, "the body is no JSON-RPC 2.0 message").error);
    const id = message["id"];
    if (typeof message["method"] === "string" && id !== undefined && !isId(id))
      return refuse(response, 400, failed(codes.invalidRequest, "the id is neither text nor number").error);
    if (typeof message["method"] === "string" && isModern(headers, message))
      return this.#serveModern(message, incoming, response, consumer, only);
    if (message["method"] === "initialize" && isId(id)) return this.#initialize(message, id, response, consumer, only);
    const session = this.#session(incoming, response, consumer, only, id);
    if (session !== undefined) this.#serveLegacy([message], session, response, false);
  }

  #serveModern(message: Json, incoming: IncomingMessage, response: ServerResponse, consumer: Consumer, only: string | undefined): void {
    const id = message["id"];
    // The core has no notifications of a client over HTTP; what comes is taken and has no effect.
    if (!isId(id)) return accepted(response);
    const { core } = this.#parts;
    const tools = core.views.of(consumer, only).tools;
    const error = judgeModern(incoming.headers, message, (name) => {
      const schema = tools.get(name)?.definition["inputSchema"];
      return isRecord(schema) ? schema : undefined;
    });
    if (error !== undefined) return refuse(response, 400, error, id);
    const params = message["params"];
    const given = metaOf(params);
    const capabilities = given[meta.capabilities];
    const logLevel = given[meta.logLevel];
    const peer: Peer = {
      consumer,
      only,
      modern: true,
      revision: modernRevision,
      capabilities: isRecord(capabilities) ? capabilities : {},
      client: hostOf(given[meta.client]),
      session: "",
      logLevel: typeof logLevel === "string" ? logLevel : undefined,
    };
    const reply = new Reply(response, { modern: true, expected: 1, beat: this.#beat });
    const method = String(message["method"]);
    if (method === "subscriptions/listen") reply.open();
    const running = new Map<RequestId, AbortController>();
    const end = (): void => {
      for (const controller of running.values()) controller.abort();
    };
    const ends = this.#modern.get(consumer) ?? new Set();
    this.#modern.set(consumer, ends.add(end));
    // The end of the stream is how a consumer of this revision cancels.
    response.on("close", () => {
      ends.delete(end);
      if (ends.size === 0) this.#modern.delete(consumer);
      end();
    });
    dispatch(core, peer, { id, method, params }, running, reply);
  }

  #initialize(message: Json, id: RequestId, response: ServerResponse, consumer: Consumer, only: string | undefined): void {
    const agreed = agreeOn(message["params"]);
    if ("error" in agreed) return refuse(response, 400, agreed.error, id);
    const begun = this.#parts.sessions.begin(consumer, only, agreed);
    if (begun === undefined)
      return refuse(response, 429, failed(codes.limit, "the limit of this consumer is reached (sessions)", { what: "sessions", retryAfterMs: 60_000 }).error, id);
    const reply = new Reply(response, {
      modern: false,
      expected: 1,
      headers: { "mcp-session-id": begun.id },
      beat: this.#beat,
    });
    reply.answer(answerText(id, { result: this.#parts.core.welcome(begun.session) }));
  }

  /** One array of messages, which 2025-03-26 alone has. */
  #batch(messages: readonly unknown[], incoming: IncomingMessage, response: ServerResponse, consumer: Consumer, only: string | undefined): void {
    const all = messages.filter((each): each is Json => isRecord(each) && each["jsonrpc"] === "2.0" && each["method"] !== "initialize");
    if (all.length === 0 || all.length !== messages.length || all.length > 100)
      return refuse(response, 400, failed(codes.invalidRequest, "the list holds something that is no message").error);
    const session = this.#session(incoming, response, consumer, only, undefined);
    if (session === undefined) return;
    if (session.revision !== "2025-03-26")
      return refuse(response, 400, failed(codes.invalidRequest, "this revision has no batches").error);
    this.#serveLegacy(all, session, response, true);
  }

  #serveLegacy(messages: readonly Json[], session: LegacySession, response: ServerResponse, batch: boolean): void {
    const requests = messages.filter((each) => typeof each["method"] === "string" && isId(each["id"]));
    if (requests.length === 0) {
      for (const message of messages) session.take(message, silent);
      return accepted(response);
    }
    const reply = new Reply(response, { modern: false, expected: requests.length, batch, beat: this.#beat });
    // No stream of ours can be taken up again, so an answer that nobody reads any more is given up.
    response.on("close", () => {
      for (const { id } of requests) if (isId(id) && !response.writableFinished) session.running.get(id)?.abort();
    });
    for (const message of messages) session.take(message, reply);
  }

  /** The session that a legacy request names; answers itself when there is none. */
  #session(incoming: IncomingMessage, response: ServerResponse, consumer: Consumer, only: string | undefined, id: unknown): LegacySession | undefined {
    const given = one(incoming.headers["mcp-session-id"]);
    const about = isId(id) ? id : null;
    if (given === undefined) {
      refuse(response, 400, failed(codes.limit, "Bad Request: the header Mcp-Session-Id is missing; begin with initialize").error, about);
      return undefined;
    }
    const session = this.#parts.sessions.find(consumer, only, given);
    if (session === undefined) {
      refuse(response, 404, failed(-32_001, "Session not found").error, about);
      return undefined;
    }
    const version = one(incoming.headers["mcp-protocol-version"]);
    if (version !== undefined && version !== session.revision && !/^20\d\d-\d\d-\d\d$/.test(version)) {
      refuse(response, 400, failed(codes.limit, `Bad Request: the header MCP-Protocol-Version is ${version.slice(0, 40)}`).error, about);
      return undefined;
    }
    return session;
  }

  #get(incoming: IncomingMessage, response: ServerResponse, consumer: Consumer, only: string | undefined): void {
    const version = one(incoming.headers["mcp-protocol-version"]);
    if (version !== undefined && version >= modernRevision) return notAllowed(response);
    if (!/text\/event-stream|\*\/\*|text\/\*/i.test(incoming.headers.accept ?? ""))
      return refuse(response, 406, failed(codes.invalidRequest, "Accept must name text/event-stream").error);
    const session = this.#session(incoming, response, consumer, only, undefined);
    if (session === undefined) return;
    if (!consumer.meter.take("streams"))
      return refuse(response, 429, failed(codes.limit, "the limit of this consumer is reached (streams)").error);
    const reply = new Reply(response, { modern: false, expected: Infinity, beat: this.#beat });
    reply.open();
    const detach = session.attach((text) => reply.send(text));
    const ended = (): void => void response.end();
    session.gone.addEventListener("abort", ended);
    response.on("close", () => {
      detach();
      session.gone.removeEventListener("abort", ended);
      consumer.meter.give("streams");
    });
  }

  #delete(incoming: IncomingMessage, response: ServerResponse, consumer: Consumer, only: string | undefined): void {
    const version = one(incoming.headers["mcp-protocol-version"]);
    if (version !== undefined && version >= modernRevision) return notAllowed(response);
    const session = this.#session(incoming, response, consumer, only, undefined);
    if (session === undefined) return;
    this.#parts.sessions.end(one(incoming.headers["mcp-session-id"]) ?? "");
    response.writeHead(200, { "content-length": 0 }).end();
  }
}

const silent = { send: () => undefined, answer: () => undefined, drop: () => undefined };

function notAllowed(response: ServerResponse): void {
  response.setHeader("allow", "POST");
  refuse(response, 405, failed(codes.limit, "Method not allowed").error);
}

function accepted(response: ServerResponse): void {
  response.writeHead(202, { "content-length": 0 }).end();
}

function unauthorized(response: ServerResponse): void {
  response.setHeader("www-authenticate", `Bearer realm="mcpvisor"`);
  // The body was not read: nothing after it may be taken as a request.
  response.setHeader("connection", "close");
  refuse(response, 401, failed(codes.limit, "a consumer's token is needed: `mcpvisor consumers add NAME` makes one").error);
}

function refuse(response: ServerResponse, status: number, error: RpcError, id: RequestId | null = null): void {
  const body = Buffer.from(answerText(id, { error }));
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store", "content-length": body.length })
    .end(body);
}

function safeDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape names nothing.
    return undefined;
  }
}
