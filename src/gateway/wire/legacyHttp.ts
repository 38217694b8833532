import type { ServerResponse } from "node:http";
import type { Core } from "../requests/core.js";
import { agreeOn } from "../sessions/initialize.js";
import { answerText, codes, failed, isId, isRecord } from "../contract/protocol.js";
import type { Json, RequestId } from "../contract/protocol.js";
import type { LegacySession } from "../sessions/session.js";
import type { Sessions } from "../sessions/sessions.js";
import type { Beat } from "./beat.js";
import { one } from "./modernHead.js";
import { accepted, refuse } from "./refuse.js";
import { Reply } from "./reply.js";
import type { Visit } from "./visit.js";

const mostOfBatch = 100;

/** Streamable HTTP of 2025-03-26 to 2025-11-25: sessions, an own stream for what belongs to no request, batches. */
export class LegacyHttp {
  readonly #core: Core;
  readonly #sessions: Sessions;
  readonly #beat: Beat;

  constructor(core: Core, sessions: Sessions, beat: Beat) {
    this.#core = core;
    this.#sessions = sessions;
    this.#beat = beat;
  }

  serve(message: Json, visit: Visit): void {
    const { id, method } = message;
    if (method === "initialize" && isId(id)) return this.#initialize(message, id, visit);
    const session = this.#session(visit, id);
    if (session !== undefined) this.#serve([message], session, visit.response, false);
  }

  /** One array of messages, which 2025-03-26 alone has. */
  batch(messages: readonly unknown[], visit: Visit): void {
    const all = messages.filter(
      (each): each is Json => isRecord(each) && each["jsonrpc"] === "2.0" && each["method"] !== "initialize",
    );
    const isSound = all.length > 0 && all.length === messages.length && all.length <= mostOfBatch;
    if (!isSound)
      return refuse(
        visit.response,
        400,
        failed(codes.invalidRequest, "the list holds what is no message").error,
      );
    const session = this.#session(visit, undefined);
    if (session === undefined) return;
    if (session.revision === "2025-03-26") return this.#serve(all, session, visit.response, true);
    refuse(visit.response, 400, failed(codes.invalidRequest, "this revision has no batches").error);
  }

  /** The stream for what belongs to no request. */
  stream(visit: Visit): void {
    const { incoming, response, consumer } = visit;
    if (!/text\/event-stream|\*\/\*|text\/\*/i.test(incoming.headers.accept ?? ""))
      return refuse(response, 406, failed(codes.invalidRequest, "Accept must name text/event-stream").error);
    const session = this.#session(visit, undefined);
    if (session === undefined) return;
    if (!consumer.meter.take("streams")) return refuse(response, 429, limitOf("streams"));
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

  /** The consumer takes leave. */
  leave(visit: Visit): void {
    if (this.#session(visit, undefined) === undefined) return;
    this.#sessions.end(one(visit.incoming.headers["mcp-session-id"]) ?? "");
    visit.response.writeHead(200, { "content-length": 0 }).end();
  }

  #initialize(message: Json, id: RequestId, { response, consumer, only }: Visit): void {
    const agreed = agreeOn(message["params"], this.#core.fleet.title);
    if ("error" in agreed) return refuse(response, 400, agreed.error, id);
    const begun = this.#sessions.begin(consumer, only, agreed);
    if (begun === undefined) return refuse(response, 429, limitOf("sessions"), id);
    const headers = { "mcp-session-id": begun.id };
    const reply = new Reply(response, { modern: false, expected: 1, headers, beat: this.#beat });
    reply.answer(answerText(id, { result: this.#core.welcome(begun.session) }));
  }

  #serve(messages: readonly Json[], session: LegacySession, response: ServerResponse, batch: boolean): void {
    const ids = messages.flatMap(({ id, method }) => (typeof method === "string" && isId(id) ? [id] : []));
    if (ids.length === 0) {
      for (const message of messages) session.take(message, silent);
      return accepted(response);
    }
    const reply = new Reply(response, { modern: false, expected: ids.length, batch, beat: this.#beat });
    // No stream of ours can be taken up again, so an answer that nobody reads any more is given up.
    response.on("close", () => {
      if (!response.writableFinished) for (const id of ids) session.running.get(id)?.abort();
    });
    for (const message of messages) session.take(message, reply);
  }

  /** The session that a request names; answers itself when there is none. */
  #session({ incoming, response, consumer, only }: Visit, id: unknown): LegacySession | undefined {
    const given = one(incoming.headers["mcp-session-id"]);
    const about = isId(id) ? id : null;
    const session = given === undefined ? undefined : this.#sessions.find(consumer, only, given);
    if (given === undefined)
      refuse(
        response,
        400,
        failed(codes.limit, "the header Mcp-Session-Id is missing; begin with initialize").error,
        about,
      );
    else if (session === undefined) refuse(response, 404, failed(-32_001, "Session not found").error, about);
    const version = one(incoming.headers["mcp-protocol-version"]);
    if (session === undefined || version === undefined || /^20\d\d-\d\d-\d\d$/.test(version)) return session;
    const problem = `the header MCP-Protocol-Version is ${version.slice(0, 40)}`;
    refuse(response, 400, failed(codes.limit, problem).error, about);
    return undefined;
  }
}

function limitOf(what: "sessions" | "streams") {
  const retryAfterMs = 60_000;
  return failed(codes.limit, `the limit of this consumer is reached (${what})`, { what, retryAfterMs }).error;
}

const silent = { send: () => undefined, answer: () => undefined, drop: () => undefined };
