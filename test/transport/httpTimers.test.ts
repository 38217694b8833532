import type { Dispatcher } from "undici";
import { describe, expect, it } from "vitest";
import type { ConnectError } from "../../src/errors.js";
import { Body } from "../../src/transport/http/body.js";
import type { Wire } from "../../src/transport/http/connect/wire.js";
import { deleteSession } from "../../src/transport/http/deleteSession.js";
import { type Cursor, EventStream } from "../../src/transport/http/eventStream.js";
import type { HttpPorts } from "../../src/transport/http/httpPorts.js";
import { Listener } from "../../src/transport/http/listener.js";
import { NotificationPost } from "../../src/transport/http/notificationPost.js";
import { Resumption } from "../../src/transport/http/resumption.js";
import { HttpSession } from "../../src/transport/http/session.js";
import { EndpointStream } from "../../src/transport/http/sse/endpoint.js";
import { RequestPost } from "../../src/transport/http/sse/requestPost.js";
import type { Loss } from "../../src/transport/transport.js";
import { manualClock } from "../rpc/manualClock.js";

const stream = { "content-type": "text/event-stream" };

/** One request on the wire of a test, which answers it by hand. */
class Sent {
  readonly options: Dispatcher.DispatchOptions;
  aborted = false;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #controller = {
    abort: (): void => void (this.aborted = true),
    pause: () => undefined,
    resume: () => undefined,
  } as unknown as Dispatcher.DispatchController;

  constructor(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    this.options = options;
    this.#handler = handler;
    handler.onRequestStart?.(this.#controller, undefined);
  }

  head(status: number, headers: Record<string, string> = {}): this {
    this.#handler.onResponseStart?.(this.#controller, status, headers);
    return this;
  }

  data(text: string): this {
    this.#handler.onResponseData?.(this.#controller, Buffer.from(text));
    return this;
  }

  end(): void {
    this.#handler.onResponseEnd?.(this.#controller, {});
  }

  fail(code = "ECONNRESET"): void {
    this.#handler.onResponseError?.(this.#controller, Object.assign(new Error("broken"), { code }));
  }

  get headers(): Record<string, string> {
    const list = this.options.headers as string[];
    return Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]!]] : [])));
  }
}

function begin(maxBytes = 1000) {
  const clock = manualClock(0);
  const sent: Sent[] = [];
  const delivered: unknown[] = [];
  const warned: [string, string][] = [];
  const lostSessions: HttpSession[] = [];
  const wire = {
    origin: "https://a.example",
    way: "",
    secrets: [],
    authorization: undefined,
    hasSentToken: false,
    dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
      sent.push(new Sent(options, handler));
      return {};
    },
    renew: () => undefined,
  } as unknown as Wire;
  const ports: HttpPorts = {
    server: "s",
    wire,
    path: "/mcp",
    clock,
    maxBytes,
    deliver: (message) => void delivered.push(message),
    settled: () => undefined,
    warn: (kind, message) => void warned.push([kind, message]),
    sessionLost: (session) => lostSessions.push(session) > 0,
  };
  return {
    clock,
    sent,
    delivered,
    warned,
    lostSessions,
    ports,
    session: new HttpSession([]),
    last: () => sent.at(-1)!,
  };
}

const resume = (cursor: Cursor = {}) => {
  const rig = begin();
  const ends: string[] = [];
  const state = { over: false };
  const resumption = new Resumption(rig.ports, rig.session, cursor, {
    openStream: () =>
      new EventStream(
        1000,
        { message: (each) => rig.ports.deliver(each), noise: () => {}, oversize: () => {} },
        cursor,
      ),
    isOver: () => state.over,
    giveUp: (why) => void ends.push(why),
  });
  return { ...rig, resumption, ends, state };
};

describe("a stream that is taken up again", () => {
  it("is asked for after half a second and ever longer, and given up after five tries that bring nothing", () => {
    const { resumption, clock, sent, ends, last } = resume({ lastId: "7" });
    const waits: number[] = [];
    resumption.next();
    while (ends.length === 0) {
      const [before, count] = [clock.now(), sent.length];
      while (sent.length === count) clock.advance(1);
      waits.push(clock.now() - before);
      last().head(503).end();
    }

    expect(waits).toEqual([500, 1000, 2000, 4000, 8000]);
    expect(ends).toEqual(["without an answer, also after 5 attempts to resume it"]);
    expect([clock.timers(), last().headers["last-event-id"]]).toEqual([0, "7"]);
  });

  it("begins to count anew when it moved on, and waits as long as the server says", () => {
    const { resumption, clock, sent, ends, last, delivered } = resume({ lastId: "0", retryMs: 70 });
    resumption.next();
    for (let id = 1; id <= 9; id++) {
      clock.advance(69);
      expect(sent).toHaveLength(id - 1);
      clock.advance(1);
      last().head(200, stream).data(`id: ${id}\ndata: {"n":${id}}\n\n`).end();
    }

    expect([ends, delivered.length, sent.length, last().headers["last-event-id"]]).toEqual([[], 9, 9, "8"]);
  });

  it.each([
    [409, false],
    [429, false],
    [500, false],
    [599, false],
    [404, true],
    [499, true],
    [200, true],
    [301, true],
  ])("that is answered with HTTP %i is given up at once: %s", (status, isOver) => {
    const { resumption, clock, ends, last } = resume({ lastId: "1" });
    resumption.next();
    clock.advance(500);

    last().head(status);

    expect(ends).toEqual(
      isOver ? [`without an answer, and resuming it was answered with HTTP ${status}`] : [],
    );
    expect(last().aborted).toBe(isOver);
  });

  it("leaves no timer and no request behind when it is stopped, or over", () => {
    const waiting = resume({ lastId: "1" });
    waiting.resumption.next();
    waiting.resumption.stop();
    const open = resume({ lastId: "1" });
    open.resumption.next();
    open.clock.advance(500);
    open.resumption.stop();
    const over = resume({ lastId: "1" });
    over.state.over = true;
    over.resumption.next();

    expect([waiting, open, over].map(({ clock }) => clock.timers())).toEqual([0, 0, 0]);
    expect([open.last().aborted, waiting.sent, over.sent]).toEqual([true, [], []]);
  });
});

describe("the wait that an event stream asks for", () => {
  it.each([
    ["0", 50],
    ["49", 50],
    ["51", 51],
    ["599999", 599_999],
    ["600001", 600_000],
    ["soon", undefined],
  ])("retry: %s is %s ms", (retry, retryMs) => {
    const events = new EventStream(100, { message: () => {}, noise: () => {}, oversize: () => {} });
    events.write(Buffer.from(`retry: ${retry}\ndata: 1\n\n`));

    expect(events.cursor.retryMs).toBe(retryMs);
  });
});

const listen = () => {
  const rig = begin();
  const listener = new Listener(rig.ports, rig.session);
  listener.start();
  /** How long until the next request. */
  const wait = (): number => {
    const [before, count] = [rig.clock.now(), rig.sent.length];
    while (rig.sent.length === count && rig.clock.now() - before < 700_000) rig.clock.advance(50);
    return rig.clock.now() - before;
  };
  return { ...rig, listener, wait };
};

describe("the listening stream", () => {
  it("is asked for again after 1, 2, 4 … 30 s, and after 1 s again once something came", () => {
    const { wait, last, delivered } = listen();
    const waits: number[] = [];
    for (let turn = 0; turn < 7; turn++) {
      last().head(200, stream).end();
      waits.push(wait());
    }
    last().head(200, stream).data('data: {"a":1}\n\n').end();
    waits.push(wait());

    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 1000]);
    expect(delivered).toEqual([{ a: 1 }]);
  });

  it.each([
    [405, false],
    [404, false],
    [501, false],
    [200, false],
    [409, true],
    [429, true],
    [500, true],
    [503, true],
  ])("that is refused with HTTP %i is asked for again: %s", (status, again) => {
    const { sent, last, clock, wait } = listen();
    last().head(status).end();
    wait();

    expect([sent.length, clock.timers()]).toEqual([again ? 2 : 1, 0]);
  });

  it("waits as long as Retry-After says, within ten minutes, and less and less often when it goes on", () => {
    const { wait, last } = listen();
    last().head(503, { "retry-after": "3" }).end();
    expect(wait()).toBe(3000);
    last().head(503, { "retry-after": "1" }).end();
    expect(wait()).toBe(2000);
    last().head(503, { "retry-after": "9000" }).end();
    expect(wait()).toBe(600_000);
    last().fail();
    expect(wait()).toBe(8000);
  });

  it("takes its place up again, and says what it could not read", () => {
    const { last, wait, warned } = listen();
    expect(last().headers).not.toHaveProperty("last-event-id");
    last()
      .head(200, stream)
      .data(`id: 5\ndata: {"a":1}\n\ndata: noise\n\ndata: ${"x".repeat(3000)}\n\n`)
      .end();
    wait();

    expect(last().headers["last-event-id"]).toBe("5");
    expect(warned.map(([kind]) => kind)).toEqual(["stream-noise", "oversize"]);
  });

  it("leaves no timer and no request behind when it is stopped", () => {
    const { listener, last, clock, sent } = listen();
    listener.stop();
    expect(last().aborted).toBe(true);
    last().end();
    listener.start();
    expect([clock.timers(), sent.length]).toEqual([0, 1]);

    const waiting = listen();
    waiting.last().head(503).end();
    expect(waiting.clock.timers()).toBe(1);
    waiting.listener.stop();
    expect(waiting.clock.timers()).toBe(0);
  });
});

const post = (method = "notifications/x", id?: string) => {
  const rig = begin();
  if (id !== undefined) rig.session.begin(id);
  const done: unknown[] = [];
  const notification = new NotificationPost(
    rig.ports,
    rig.session,
    "{}",
    { method },
    (each) => void done.push(each),
  );
  notification.start();
  return { ...rig, done, notification };
};

describe("a notification", () => {
  it.each([200, 202, 204, 299])("is acknowledged with HTTP %i, once, without a word", (status) => {
    const { last, done, warned, clock, notification } = post();
    last().head(status).data("x").end();
    last().fail();

    expect([done, warned, clock.timers()]).toEqual([[notification], [], 0]);
  });

  it.each([
    [300, "a", 0],
    [404, "a", 1],
    [410, "a", 1],
    [400, "a", 0],
    [404, undefined, 0],
  ])(
    "that is answered with HTTP %i, in session %s, is a warning and a lost session: %i",
    (status, id, lost) => {
      const { last, done, warned, clock, lostSessions } = post("notifications/x", id);
      last().head(status).end();

      expect(warned).toEqual([
        ["notification-failed", `the notification notifications/x was answered with HTTP ${status}`],
      ]);
      expect([done.length, clock.timers(), lostSessions.length]).toEqual([1, 0, lost]);
    },
  );

  it("is waited for 30 s and not longer; what comes after that says nothing", () => {
    const { last, done, warned, clock } = post("");
    clock.advance(29_999);
    expect(done).toEqual([]);
    clock.advance(1);
    expect(warned).toEqual([
      ["notification-failed", "the notification (an answer of ours) was not acknowledged within 30 s"],
    ]);
    expect([last().aborted, done.length, clock.timers()]).toEqual([true, 1, 0]);
    last().head(500);
    expect([done.length, warned.length]).toEqual([1, 1]);
  });

  it("that was acknowledged while its body goes on ends with its time, without a warning", () => {
    const { last, done, warned, clock } = post();
    last().head(202);
    clock.advance(30_000);

    expect([done.length, warned, last().aborted, clock.timers()]).toEqual([1, [], true, 0]);
  });

  it("that fails says why, once; one that was stopped says nothing", () => {
    const failed = post();
    failed.last().fail();
    // A connection that was closed before the answer began is tried once more.
    failed.last().fail();
    expect(failed.sent).toHaveLength(2);
    expect(failed.warned).toHaveLength(1);
    expect([failed.done.length, failed.clock.timers()]).toEqual([1, 0]);

    const stopped = post();
    stopped.notification.stop();
    expect([stopped.done, stopped.warned, stopped.clock.timers(), stopped.last().aborted]).toEqual([
      [],
      [],
      0,
      true,
    ]);
  });
});

describe("the end of a session", () => {
  it.each([
    ["an answer", (sent: Sent) => void sent.head(405), true],
    ["a failure", (sent: Sent) => (sent.fail(), sent.fail()), true],
  ])("is over with %s, and leaves no timer", async (_, end, inTime) => {
    const { ports, session, sent, clock } = begin();
    session.begin("a");
    const deleted = deleteSession(ports, session, 500);
    expect([sent.length, sent[0]!.options.method, sent[0]!.headers["mcp-session-id"]]).toEqual([
      1,
      "DELETE",
      "a",
    ]);
    end(sent[0]!);
    if (sent.length > 1) sent[1]!.fail();

    expect([await deleted, clock.timers()]).toEqual([inTime, 0]);
  });

  it("is waited for so long and not longer", async () => {
    const { ports, session, sent, clock } = begin();
    session.begin("a");
    const deleted = deleteSession(ports, session, 500);
    clock.advance(499);
    expect(sent[0]!.aborted).toBe(false);
    clock.advance(1);

    expect([await deleted, sent[0]!.aborted, clock.timers()]).toEqual([false, true, 0]);
  });

  it("asks nobody where there is no session, or it is dead already", async () => {
    const { ports, session, sent } = begin();
    expect(await deleteSession(ports, session, 500)).toBe(true);
    session.begin("a");
    session.isDead = true;
    expect([await deleteSession(ports, session, 500), sent]).toEqual([true, []]);
  });
});

const open = (maxBytes = 1000) => {
  const rig = begin(maxBytes);
  const opened: string[] = [];
  const closed: unknown[] = [];
  const endpoint = new EndpointStream(rig.ports, rig.session, {
    opened: (path) => void opened.push(path),
    closed: (cause) => void closed.push(cause),
  });
  const started = endpoint.start(1000).then(
    () => "open",
    (error: ConnectError) => error.info.kind,
  );
  return { ...rig, endpoint, opened, closed, started };
};

describe("the long stream of HTTP+SSE", () => {
  it("waits for its endpoint, no longer than it may, and leaves no timer", async () => {
    const late = open();
    late.last().head(200, stream);
    late.clock.advance(999);
    expect(late.last().aborted).toBe(false);
    late.clock.advance(1);
    expect([await late.started, late.last().aborted, late.clock.timers(), late.closed]).toEqual([
      "connect-timeout",
      true,
      0,
      [],
    ]);

    const good = open();
    good
      .last()
      .head(200, stream)
      .data("event: endpoint\ndata: /in?a=1#b\n\nevent: endpoint\ndata: /other\n\n");
    expect([await good.started, good.opened, good.clock.timers()]).toEqual(["open", ["/in?a=1"], 0]);
    good.last().end();
    good.last().end();
    expect(good.closed).toHaveLength(1);
  });

  it.each([
    ["http://a.example/in"],
    ["https://b.example/in"],
    ["https://a.example:8443/in"],
    ["//b.example/in"],
    ["https://["],
  ])("takes no endpoint outside its origin: %s", async (endpoint) => {
    const { last, started, opened, clock } = open();
    last().head(200, stream).data(`event: endpoint\ndata: ${endpoint}\n\n`);

    expect([await started, opened, last().aborted, clock.timers()]).toEqual(["redirected", [], true, 0]);
  });

  it("that is stopped tells nobody once it was open, and rejects before", async () => {
    const waiting = open();
    waiting.endpoint.stop();
    expect([await waiting.started, waiting.clock.timers()]).toEqual(["stopping", 0]);
    const running = open();
    running.last().head(200, stream).data("event: endpoint\ndata: /in\n\n");
    running.endpoint.stop();
    running.endpoint.stop();
    expect([running.closed, running.last().aborted]).toEqual([[], true]);
  });

  it("is judged by what it says when it is refused, also when that breaks off or is too long", async () => {
    const whole = open();
    whole.last().head(503).data("busy").end();
    const cut = open();
    cut.last().head(503).data("busy").fail();
    const long = open();
    long
      .last()
      .head(503)
      .data("x".repeat(64 * 1024))
      .data("y");
    const page = open();
    page.last().head(200, { "content-type": "text/html" }).end();

    expect(await Promise.all([whole, cut, long, page].map(({ started }) => started))).toEqual([
      "server-error",
      "server-error",
      "server-error",
      "http-error",
    ]);
    for (const { clock } of [whole, cut, long, page]) expect(clock.timers()).toBe(0);
  });
});

const postRequest = (method = "tools/call") => {
  const rig = begin();
  const lost: Loss[] = [];
  const request = new RequestPost(rig.ports, rig.session, {
    text: "{}",
    method,
    lost: (loss) => void lost.push(loss),
  });
  request.start();
  return { ...rig, lost, request };
};

describe("the POST of one request over HTTP+SSE", () => {
  it.each([
    [299, 0],
    [300, 1],
  ])("that is answered with HTTP %i is lost: %i", (status, losses) => {
    const { last, lost, clock } = postRequest();
    last().head(status).data("x").end();
    last().end();

    expect([lost.length, clock.timers()]).toEqual([losses, 0]);
  });

  it("waits two seconds for the words of a refusal, and not longer", () => {
    const { last, lost, clock } = postRequest();
    last().head(500).data("so far");
    clock.advance(1999);
    expect(lost).toEqual([]);
    clock.advance(1);
    expect(lost).toMatchObject([
      { cause: { kind: "server-error", message: expect.stringContaining("so far") } },
    ]);
    expect([last().aborted, clock.timers()]).toEqual([true, 0]);
  });

  it("takes 64 KiB of them, and no more", () => {
    const { last, lost } = postRequest();
    last()
      .head(500)
      .data("x".repeat(64 * 1024));
    expect(lost).toEqual([]);
    last().data("y");
    expect(lost).toHaveLength(1);
  });

  it("is sent again over a stale connection unless it is a call, and lost with what is known of it", () => {
    const call = postRequest();
    call.last().fail();
    expect([call.sent.length, call.lost.map(({ sent }) => sent)]).toEqual([1, ["unknown"]]);
    const list = postRequest("tools/list");
    list.last().fail();
    expect([list.sent.length, list.lost]).toEqual([2, []]);
    list.last().fail();
    expect(list.lost).toHaveLength(1);
    const taken = postRequest();
    taken.last().head(202).fail();
    expect(taken.lost).toEqual([]);
    const refused = postRequest();
    refused.last().head(500).fail();
    expect(refused.lost).toMatchObject([{ sent: "yes", cause: { kind: "server-error" } }]);
  });

  it("that is stopped is lost to nobody, and leaves no timer", () => {
    const { request, last, lost, clock, sent } = postRequest();
    last().head(500);
    request.stop();
    last().end();
    request.start();

    expect([lost, clock.timers(), last().aborted, sent.length]).toEqual([[], 0, true, 1]);
  });
});

describe("a body", () => {
  it("is kept up to its limit and not a byte beyond, and loses a mark at its start", () => {
    const body = new Body(4);
    expect([body.add(Buffer.from("ab")), body.add(Buffer.from("cd")), body.add(Buffer.from("e"))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(body.text()).toBe("abcd");
    const marked = new Body(10);
    marked.add(Buffer.from("\uFEFFä"));
    expect([marked.text(), new Body(1).text()]).toEqual(["ä", ""]);
  });
});
