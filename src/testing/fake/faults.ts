import { replyThen, filled, progressForever } from "./hit.js";
import type { FaultyServer, Hit } from "./hit.js";
import { listPage } from "./tools.js";
import type { FakeFault, FaultName, Medium } from "./types.js";

interface FaultRow {
  /** The message it happens at unless the script says otherwise. */
  readonly at: string;
  /** Where it can be done; everywhere if absent. */
  readonly over?: readonly Medium[];
  run(fault: FakeFault, hit: Hit): void;
}

const bytes: readonly Medium[] = ["stdio"];
const call = "tools/call";
const atOpen = (over: readonly Medium[]): FaultRow => ({ at: "open", over, run: () => undefined });
const respond: FaultRow = {
  at: call,
  over: ["http"],
  run: (fault, hit) => replyThen(hit, (reply) => hit.wire.respond?.(fault, reply)),
};

/** One row for each fault that can be scripted. Faults of the begin of a connection are done by its medium. */
export const faultTable: Readonly<Record<FaultName, FaultRow>> = {
  refuse: atOpen(["memory", "stdio", "http"]),
  "ignore-eof": atOpen(bytes),
  "ignore-term": atOpen(bytes),
  "slow-close": atOpen(["memory"]),
  survivors: atOpen(["memory"]),
  "crash-before": { at: call, run: ({ code }, { wire }) => wire.end(code ?? 1) },
  "crash-mid": {
    at: call,
    run: ({ code }, hit) =>
      replyThen(hit, (reply) => {
        hit.wire.half(reply);
        hit.wire.end(code ?? 1);
      }),
  },
  "crash-after": {
    at: call,
    run: ({ code }, hit) =>
      replyThen(hit, (reply) => {
        hit.wire.send(reply);
        hit.wire.end(code ?? 1);
      }),
  },
  "close-stdout": { at: call, over: bytes, run: (_, { wire }) => wire.order?.({ do: "close-stdout" }) },
  "close-stdin": andAnswer(bytes, (_, { wire }) => wire.order?.({ do: "close-stdin" })),
  hang: { at: call, run: () => undefined },
  "late-answer": {
    at: call,
    run: ({ ms = 1000 }, hit) => replyThen(hit, (reply) => hit.server.later(ms, () => hit.wire.send(reply))),
  },
  "half-line": { at: call, over: bytes, run: (_, hit) => replyThen(hit, (reply) => hit.wire.half(reply)) },
  "stop-reading": { at: call, over: bytes, run: (_, { wire }) => wire.order?.({ do: "stop-reading" }) },
  "byte-at-a-time": {
    at: call,
    over: bytes,
    run: (_, hit) =>
      replyThen(hit, (reply) => hit.wire.order?.({ do: "drip", text: `${JSON.stringify(reply)}\n` })),
  },
  flood: andAnswer(bytes, ({ stream, bytes: size = 1e6 }, { wire }) =>
    wire.order?.({ do: "flood", stream: stream === "stdout" ? "stdout" : "stderr", bytes: size }),
  ),
  "endless-line": {
    at: call,
    over: bytes,
    run: ({ bytes: size = 1e8 }, { wire }) => wire.order?.({ do: "flood", stream: "stdout", bytes: size }),
  },
  noise: andAnswer(bytes, ({ text = "this is no JSON\n" }, { wire }) => wire.write?.(text)),
  raw: {
    at: call,
    over: bytes,
    run: ({ text = "" }, { wire, message }) => wire.write?.(filled(text, message)),
  },
  error: {
    at: call,
    run: ({ code = -32000, text = "the fake server was told to fail" }, { wire, message }) =>
      wire.send({ jsonrpc: "2.0", id: message.id, error: { code, message: text } }),
  },
  "wrong-id": {
    at: call,
    run: (_, hit) => replyThen(hit, (reply) => hit.wire.send({ ...reply, id: 987_654 })),
  },
  "string-id": {
    at: call,
    run: (_, hit) => replyThen(hit, (reply) => hit.wire.send({ ...reply, id: String(hit.message.id) })),
  },
  "duplicate-answer": {
    at: call,
    run: (_, hit) =>
      replyThen(hit, (reply) => {
        hit.wire.send(reply);
        hit.wire.send(reply);
      }),
  },
  "bad-version": {
    at: "initialize",
    run: ({ text = "1999-12-31" }, { wire, message }) =>
      wire.send({
        jsonrpc: "2.0",
        id: message.id,
        result: { protocolVersion: text, capabilities: {}, serverInfo: { name: "fake", version: "1" } },
      }),
  },
  "schema-lie": {
    at: call,
    run: (_, { wire, message }) =>
      wire.send({ jsonrpc: "2.0", id: message.id, result: { structuredContent: "no object", content: 7 } }),
  },
  "endless-pages": listing(({ server, page }) => ({
    ...listPage(server.tools, undefined),
    nextCursor: String(page + 1),
  })),
  "same-cursor": listing(({ server }) => ({ ...listPage(server.tools, undefined), nextCursor: "again" })),
  "endless-progress": {
    at: call,
    run: ({ ms = 100 }, hit) => progressForever(hit, ms, 1, hit.server.healings),
  },
  "list-changed-storm": andAnswer(undefined, ({ count = 100 }, { wire }) => {
    for (let at = 0; at < count; at++)
      wire.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  }),
  "request-first": andAnswer(undefined, (_, { wire }) => {
    wire.send({ jsonrpc: "2.0", id: "fake-1", method: "ping" });
    wire.send({ jsonrpc: "2.0", id: "fake-2", method: "roots/list" });
  }),
  fork: andAnswer(bytes, ({ stream }, { wire }) => wire.order?.({ do: "fork", held: stream === "held" })),
  daemonise: andAnswer(bytes, (_, { wire }) => wire.order?.({ do: "daemonise" })),
  "session-expiry": {
    at: call,
    over: ["memory", "http"],
    run: (_, { wire, message }) => wire.expire?.(message.id),
  },
  "http-status": respond,
  redirect: respond,
  "sse-cut": respond,
  "slow-body": respond,
  "gzip-bomb": respond,
};

/** The message a fault happens at. */
export function momentOf(fault: FakeFault): string {
  return fault.on ?? faultTable[fault.fault].at;
}

export function actOn(fault: FakeFault, hit: Hit): void {
  faultTable[fault.fault].run(fault, hit);
}

/** Does something odd, then answers as if nothing had been. */
function andAnswer(over: readonly Medium[] | undefined, odd: (fault: FakeFault, hit: Hit) => void): FaultRow {
  return {
    at: call,
    ...(over === undefined ? {} : { over }),
    run(fault, hit) {
      odd(fault, hit);
      replyThen(hit, (reply) => hit.wire.send(reply));
    },
  };
}

function listing(page: (about: { server: FaultyServer; page: number }) => object): FaultRow {
  return {
    at: "tools/list",
    run(_, { wire, message, server }) {
      const at = Number(message.params?.["cursor"] ?? 0);
      const result = page({ server, page: Number.isNaN(at) ? 0 : at });
      wire.send({ jsonrpc: "2.0", id: message.id, result });
    },
  };
}
