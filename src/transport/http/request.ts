import type { Cause } from "../../errors.js";
import type { TimerId } from "../../clock.js";
import type { RequestId } from "../../protocol/jsonrpc.js";
import { brokenAnswer } from "../../protocol/brokenAnswer.js";
import type { Envelope, Loss } from "../transport.js";
import { errorWithoutId, isAnswerTo, isResult } from "./answers.js";
import { Body } from "./body.js";
import { Exchange, type Progress, type Sink } from "./exchange.js";
import { judgeFailure } from "./failure.js";
import { type Cursor, EventStream } from "./eventStream.js";
import type { HttpPorts } from "./httpPorts.js";
import { Resumption, lostAnswer } from "./resumption.js";
import type { HttpSession } from "./session.js";
import { judgeReply } from "./verdict.js";
import { header, mediaType, type ReplyHeaders } from "./headers.js";
import { readBody, tooLarge } from "./wholeBody.js";

// An error page is read for its first lines only, and not waited for long.
const errorBodyBytes = 64 * 1024;
const errorBodyMs = 2000;
// A server should end the stream after its answer; one that forgets is left after this time.
const lingerMs = 1000;

/** One request: its POST and, where the stream breaks, its resumption. Ends with one answer, one loss, or abandoned. */
export class Request implements Sink {
  readonly id: RequestId;
  readonly #ports: HttpPorts;
  readonly #session: HttpSession;
  readonly #about: Envelope;
  readonly #text: string;
  readonly #cursor: Cursor = {};
  #exchange: Exchange | undefined;
  #resumption: Resumption | undefined;
  #status = 0;
  #headers: ReplyHeaders = {};
  #events: EventStream | undefined;
  #body: Body | undefined;
  #timer: TimerId;
  #isOver = false;
  #droppedOne = false;

  constructor(ports: HttpPorts, session: HttpSession, id: RequestId, text: string, about: Envelope) {
    this.#ports = ports;
    this.#session = session;
    this.id = id;
    this.#text = text;
    this.#about = about;
  }

  start(): void {
    if (this.#isOver) return;
    const { wire, path } = this.#ports;
    const headers = this.#session.postHeaders(this.#about);
    const repeatable = this.#about.method !== "tools/call";
    this.#exchange = new Exchange(
      wire,
      { method: "POST", path, headers, body: this.#text, cookies: this.#session.cookies, repeatable },
      this,
    );
    this.#exchange.start();
  }

  /** Nobody waits any more: ends the exchange without a word. */
  abandon(): void {
    this.#isOver = true;
    this.#release();
  }

  head(status: number, headers: ReplyHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (status >= 300) {
      this.#body = new Body(errorBodyBytes);
      this.#timer = this.#ports.clock.setTimeout(() => this.#stopAndFinish(), errorBodyMs);
    } else if (mediaType(headers) === "text/event-stream") {
      this.#events = this.#openStream();
    } else {
      this.#body = new Body(this.#ports.maxBytes);
    }
  }

  data(chunk: Buffer): void {
    if (this.#events !== undefined) return this.#events.write(chunk);
    if (this.#body === undefined || this.#body.add(chunk)) return;
    if (this.#status >= 300) this.#stopAndFinish();
    else this.#lose(tooLarge(this.#ports, this.#status));
  }

  end(): void {
    if (this.#events !== undefined) this.#endOfStream();
    else this.#finishBody();
  }

  fail(error: Error, progress: Progress): void {
    if (this.#events !== undefined) return this.#endOfStream();
    if (this.#status >= 300) return this.#finishBody();
    this.#lose(judgeFailure(error, progress, this.#ports.server, this.#ports.wire.way));
  }

  refused(cause: Cause): void {
    this.#lose({ sent: "no", cause });
  }

  #openStream(): EventStream {
    return new EventStream(
      this.#ports.maxBytes,
      {
        message: (message) => this.#take(message),
        noise: (data) => this.#hearNoise(data),
        oversize: () => {
          this.#droppedOne = true;
        },
      },
      this.#cursor,
    );
  }

  #take(message: unknown): void {
    if (!this.#isOver && isAnswerTo(message, this.id)) {
      this.#beginSession(message);
      this.#settle();
    } else if (!this.#isOver) {
      const error = errorWithoutId(message);
      if (error !== undefined)
        return this.#lose({ ...this.#lostAnswer("with an error that names no request"), error });
    }
    this.#ports.deliver(message, this.id);
  }

  /** Data that does not parse; plainly the answer, it ends the request as any answer would. */
  #hearNoise(data: string): void {
    this.#ports.warn("stream-noise", "the event stream carries data that is no JSON");
    const broken = brokenAnswer(this.#ports.server, data);
    if (broken !== undefined && `${broken.id}` === `${this.id}`)
      this.#lose({ sent: "yes", cause: broken.cause });
  }

  #beginSession(message: unknown): void {
    const id = this.#about.method === "initialize" ? header(this.#headers, "mcp-session-id") : "";
    if (id === "" || !isResult(message) || this.#session.begin(id)) return;
    this.#ports.warn("session-id", "the session id is not visible ASCII and is not used");
  }

  #endOfStream(): void {
    this.#events?.end();
    this.#events = undefined;
    if (this.#isOver) return this.#release();
    if (this.#droppedOne) return this.#lose(tooLarge(this.#ports, this.#status));
    if (this.#cursor.lastId === undefined || this.#session.isModern) return this.#lose(this.#lostAnswer());
    this.#resumption ??= new Resumption(this.#ports, this.#session, this.#cursor, {
      openStream: () => this.#openStream(),
      isOver: () => this.#isOver,
      giveUp: (why) => this.#lose(this.#lostAnswer(why)),
    });
    this.#resumption.next();
  }

  #finishBody(): void {
    const reply = { status: this.#status, headers: this.#headers, text: this.#body?.text() ?? "" };
    const { server, wire, clock } = this.#ports;
    const asked = {
      server,
      address: wire.origin + this.#ports.path,
      hadSession: this.#session.id !== undefined,
      now: clock.now(),
    };
    if (this.#status >= 300) return this.#refused(judgeReply(reply, asked));
    const read = readBody(reply, asked);
    if ("loss" in read) return this.#lose(read.loss);
    for (const each of read.messages) this.#take(each);
    if (!this.#isOver) this.#lose(this.#lostAnswer("with something that is not the answer"));
  }

  #refused(loss: Loss): void {
    const superseded = loss.cause.kind === "session-lost" && this.#ports.sessionLost(this.#session);
    this.#lose(superseded ? { ...loss, superseded } : loss);
  }

  #stopAndFinish(): void {
    this.#exchange?.abort();
    this.#finishBody();
  }

  /** The answer is here: the stream may end by itself for a while, so that its connection can be used again. */
  #settle(): void {
    this.#isOver = true;
    const isStream = this.#events !== undefined || this.#resumption !== undefined;
    if (isStream) this.#timer = this.#ports.clock.setTimeout(() => this.#release(), lingerMs);
    this.#ports.settled(this.id);
  }

  #lose(loss: Loss): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#release();
    this.#ports.settled(this.id, loss);
  }

  #release(): void {
    if (this.#timer !== undefined) this.#ports.clock.clearTimeout(this.#timer);
    this.#exchange?.abort();
    this.#resumption?.stop();
  }

  #lostAnswer(how?: string): Loss {
    return lostAnswer(this.#ports.server, how);
  }
}
