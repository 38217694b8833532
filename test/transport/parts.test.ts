import { describe, expect, it } from "vitest";
import { withDepthLimit } from "../../src/transport/depthLimit.js";
import { discard } from "../../src/transport/discard.js";
import { exitCause } from "../../src/transport/exitCause.js";
import { CookieJar } from "../../src/transport/http/connect/cookies.js";
import { createOversize } from "../../src/transport/oversize.js";
import { createTail } from "../../src/transport/tail.js";
import type { TransportHandlers } from "../../src/transport/transport.js";

const mebibyte = 1024 * 1024;

function ears() {
  const told: unknown[][] = [];
  const handlers: TransportHandlers = {
    onMessage: (message, on) => void told.push(["message", message, on]),
    onLost: (id, loss) => void told.push(["lost", id, loss.sent, loss.cause.kind]),
    onClosed: (cause) => void told.push(["closed", cause.kind]),
    onWarning: (kind) => void told.push(["warning", kind]),
  };
  return { told, handlers };
}

const head = '{"jsonrpc":"2.0","id":7,"result":{"a":"';

const begin = (messageBytes = 1000) => {
  const { told, handlers } = ears();
  const endless: string[] = [];
  const oversize = createOversize(
    {
      id: "s",
      messageBytes,
      onEndless: (message) => void endless.push(message),
      warn: (kind) => void told.push(["warned", kind]),
    },
    handlers,
  );
  return { oversize, told, endless };
};

describe("a line over the limit", () => {
  it("fails its call at four times the limit, once, and not again at its end", () => {
    const { oversize, told } = begin();
    oversize.onGrowing({ bytes: 4000, head });
    expect(told).toEqual([]);
    oversize.onGrowing({ bytes: 4001, head });
    oversize.onGrowing({ bytes: 5000, head });
    expect(told).toEqual([["lost", 7, "yes", "not-mcp"]]);
    oversize.onOversize({ bytes: 6000, limit: 1000, head, tail: '"}}' });
    expect(told).toEqual([
      ["lost", 7, "yes", "not-mcp"],
      ["warned", "too-large"],
    ]);
  });

  it("fails its call at its end when that comes sooner, and the next line anew", () => {
    const { oversize, told } = begin();
    for (const line of [1, 2]) {
      oversize.onOversize({ bytes: 1001, limit: 1000, head, tail: '"}}' });
      expect(told).toHaveLength(2 * line);
    }
    oversize.onGrowing({ bytes: 4001, head });
    expect(told.at(-1)).toEqual(["lost", 7, "yes", "not-mcp"]);
  });

  it("whose id is not told by its head fails at its end, when the tail tells", () => {
    const { oversize, told } = begin();
    oversize.onGrowing({ bytes: 4001, head: '{"result":{"a":"' });
    expect(told).toEqual([]);
    oversize.onOversize({ bytes: 5000, limit: 1000, head: '{"result":{"a":"', tail: '"},"id":9}' });
    expect(told).toContainEqual(["lost", 9, "yes", "not-mcp"]);
  });

  it.each([
    [1000, 80 * mebibyte, 0],
    [1000, 80 * mebibyte + 1, 1],
    [10 * mebibyte, 160 * mebibyte, 0],
    [10 * mebibyte, 160 * mebibyte + 1, 1],
    [5 * mebibyte, 80 * mebibyte, 0],
  ])("at a limit of %i and of %i bytes has no end: %i", (limit, bytes, ends) => {
    const { oversize, endless } = begin(limit);
    oversize.onGrowing({ bytes, head: "" });
    expect(endless).toHaveLength(ends);
  });
});

const shown = (limits: { lines: number; bytes: number }, ...chunks: string[]) => {
  const tail = createTail(limits);
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.lines();
};

describe("the last lines of a stream", () => {
  it.each([
    [{ lines: 2, bytes: 100 }, ["a\nb\nc\n"], ["b", "c"]],
    [{ lines: 9, bytes: 100 }, ["a\r\n\n \nb"], ["a", "b"]],
    [{ lines: 0, bytes: 100 }, ["a"], []],
    [{ lines: 5, bytes: 0 }, ["a"], []],
    [{ lines: 9, bytes: 4 }, ["abcd"], ["abcd"]],
    [{ lines: 9, bytes: 4 }, ["abcde"], ["…bcde"]],
    [{ lines: 9, bytes: 4 }, ["ab", "cd"], ["abcd"]],
    [{ lines: 9, bytes: 4 }, ["ab", "cde"], ["…bcde"]],
    [{ lines: 9, bytes: 4 }, ["ab", "cd", "ef"], ["…cdef"]],
    [{ lines: 9, bytes: 4 }, ["a", "b", "c", "d", "e", "f"], ["…cdef"]],
    [{ lines: 9, bytes: 9 }, ["a\u001b[31mb"], ["ab"]],
  ])("with %j of %j are %j", (limits, chunks, lines) => {
    expect(shown(limits, ...chunks)).toEqual(lines);
  });

  it("are the same however often the stream was cut", () => {
    const text = Array.from({ length: 400 }, (_, at) => `line ${at}`).join("\n");
    const limits = { lines: 3, bytes: 50 };
    const whole = shown(limits, text);

    expect(whole).toEqual(["line 397", "line 398", "line 399"]);
    for (const size of [1, 2, 7, 49, 50, 51])
      expect(
        shown(
          limits,
          ...Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
            text.slice(at * size, (at + 1) * size),
          ),
        ),
      ).toEqual(whole);
  });

  it("are cut at 2,000 characters, with a mark", () => {
    const limits = { lines: 1, bytes: 10_000 };
    expect(shown(limits, "x".repeat(2000))).toEqual(["x".repeat(2000)]);
    expect(shown(limits, "x".repeat(2001))).toEqual([`…${"x".repeat(2000)}`]);
  });
});

describe("a message that is nested too deep", () => {
  it("is dropped, told once, and its call fails", () => {
    const { told, handlers } = ears();
    const limited = withDepthLimit({ id: "s", depth: 2 }, handlers);

    limited.onMessage({ id: 1, result: {} }, 5);
    limited.onMessage({ id: 2, result: { a: {} } });
    limited.onMessage({ id: "3", result: { a: [] } });
    limited.onMessage({ id: 4, method: "x", params: { a: {} } });
    limited.onMessage({ result: { a: {} } });
    limited.onMessage({ id: null, result: { a: {} } });
    limited.onMessage([[[1]]]);
    limited.onClosed({ kind: "reset", message: "" });

    expect(told).toEqual([
      ["message", { id: 1, result: {} }, 5],
      ["warning", "too-deep"],
      ["lost", 2, "yes", "not-mcp"],
      ["lost", "3", "yes", "not-mcp"],
      ["closed", "reset"],
    ]);
  });
});

describe("the end of a process", () => {
  it.each([
    [{ code: 0, signal: null }, "clean-exit", "ended by itself with code 0"],
    [{ code: 3, signal: null }, "crashed", "ended with exit code 3"],
    [{ code: 128, signal: null }, "crashed", "ended with exit code 128"],
    [{ code: 129, signal: null }, "crashed", "ended with exit code 129 (its child was killed by signal 1)"],
    [
      { code: 137, signal: null },
      "crashed",
      "exit code 137 (its child was killed by SIGKILL, often because memory ran out)",
    ],
    [{ code: 159, signal: null }, "crashed", "ended with exit code 159 (its child was killed by signal 31)"],
    [{ code: 160, signal: null }, "crashed", "ended with exit code 160"],
    [{ code: null, signal: "SIGTERM" }, "killed", "was killed by SIGTERM"],
    [
      { code: null, signal: "SIGKILL" },
      "killed",
      "was killed by SIGKILL, which we did not send (somebody did, or the machine was out of memory)",
    ],
  ] as const)("%j is told as %s", (exit, kind, text) => {
    const told = exitCause({ id: "s", stderrTail: [], requested: false, ...exit });

    expect(told.kind).toBe(kind);
    expect(told.message.endsWith(text)).toBe(true);
    expect(Object.keys(told)).toEqual(["kind", "message", exit.code === null ? "signal" : "exitCode"]);
    const spoken = exitCause({ id: "s", stderrTail: ["a", "b", "c"], requested: false, ...exit });
    expect(spoken.message).toBe(`${told.message}; its stderr says: c`);
    expect(exitCause({ id: "s", stderrTail: ["a"], requested: true, ...exit })).toMatchObject({
      kind: "requested",
      message: 'server "s" was stopped',
      stderrTail: ["a"],
    });
  });
});

describe("memory that is given back", () => {
  it("is that of a whole chunk, never of one that shares it", () => {
    const whole = new Uint8Array(16);
    const shared = new Uint8Array(new ArrayBuffer(16), 4, 8);
    const common = new Uint8Array(new SharedArrayBuffer(4));
    for (const chunk of [whole, shared, common, new Uint8Array(0)]) discard(chunk);

    expect([whole.byteLength, shared.byteLength, common.byteLength]).toEqual([0, 8, 4]);
  });
});

const jar = (...lines: string[]) => {
  const cookies = new CookieJar();
  cookies.take(lines, "/a/b?c", 1000);
  return cookies;
};

/** A cookie of so many characters. */
const long = (length: number): string => `n=${"x".repeat(length - 2)}`;

describe("cookies", () => {
  it.each([
    ["n=1", "/a", "n=1"],
    ["n=1", "/a/", "n=1"],
    ["n=1", "/a/x/y", "n=1"],
    ["n=1", "/ab", undefined],
    ["n=1", "/", undefined],
    ["n=1; Path=/", "/x", "n=1"],
    ["n=1; Path=/a/", "/a/b", "n=1"],
    ["n=1; Path=/a/", "/a", undefined],
    ["n=1; Path=x", "/a/q", "n=1"],
    ["n=1; path=/c?d", "/c", undefined],
    [" n = 1 ; PATH = /x ", "/x", "n=1"],
    ["n=", "/a", "n="],
    ["=1", "/a", undefined],
    ["n", "/a", undefined],
    ["n=1;2", "/a", "n=1"],
    ['n="1"', "/a", 'n="1"'],
    ["n=ä", "/a", undefined],
    ["a b=1", "/a", undefined],
  ])("%s goes to %s as %s", (line, path, header) => {
    expect(jar(line).header(path, 1000)).toBe(header);
  });

  it.each([
    ["Max-Age=1", 1999, true],
    ["Max-Age=1", 2000, false],
    ["Max-Age=0", 1000, false],
    ["Max-Age=-1", 1000, false],
    ["Max-Age=x", 9_999_999, true],
    ["Expires=Thu, 01 Jan 1970 00:00:02 GMT", 1999, true],
    ["Expires=Thu, 01 Jan 1970 00:00:02 GMT", 2000, false],
    ["Expires=Thu, 01 Jan 1970 00:00:01 GMT", 1000, false],
    ["Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=5", 2000, true],
    ["Expires=soon", 9_999_999, true],
  ])("with %s at %i is there: %s", (attribute, now, isThere) => {
    expect(jar(`n=1; ${attribute}`).header("/a", now) !== undefined).toBe(isThere);
  });

  it("are at most 4,096 characters each and 32 of them, and gone when they are over", () => {
    expect([jar(long(4096)).size, jar(long(4097)).size]).toEqual([1, 0]);
    const many = jar(...Array.from({ length: 33 }, (_, at) => `n${at}=1`));
    expect([many.size, many.values().length]).toEqual([32, 32]);
    many.take("n0=2", "/a/b", 1000);
    many.take("n1=2; Max-Age=0", "/a/b", 1000);
    many.take("late=1; Max-Age=1", "/a/b", 1000);
    expect([many.size, many.values().includes("2")]).toEqual([32, true]);
    expect(many.header("/a", 5000)).not.toContain("late");
    expect(many.size).toBe(31);
  });

  it("of no answer are none", () => {
    const cookies = new CookieJar();
    cookies.take(undefined, "/", 0);
    expect([cookies.size, cookies.header("/", 0), cookies.values()]).toEqual([0, undefined, []]);
    cookies.take("n=1; Path=/x", "/", 0);
    expect(cookies.header("/y", 0)).toBeUndefined();
  });
});
