import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventReader, type StreamEvent } from "../../src/protocol/sse.js";

interface Seen {
  events: StreamEvent[];
  retries: number[];
  oversize: number;
}

describe("the event stream reader", () => {
  it("reads data, event name and id", () => {
    expect(read(["event: message\nid: 7\ndata: a\ndata: b\n\n"]).events).toEqual([
      { event: "message", id: "7", data: "a\nb", complete: true },
    ]);
  });

  it("hands out an event as soon as a lone CR completes it", () => {
    const seen: Seen = { events: [], retries: [], oversize: 0 };
    const reader = readerInto(seen, 1000);

    reader.feed("data: a\r\r");

    expect(seen.events).toEqual([{ event: undefined, id: undefined, data: "a", complete: true }]);
  });

  it("drops a byte order mark at the start, and only there", () => {
    expect(read(["\ufeffdata: \ufeffa\n\n"]).events.map((each) => each.data)).toEqual(["\ufeffa"]);
  });

  it("marks an event that lacks its blank line at the end of the stream", () => {
    expect(read(["data: a\n\n", "data: b\n"]).events.map((each) => [each.data, each.complete])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    expect(read(["data: b"]).events.map((each) => [each.data, each.complete])).toEqual([["b", false]]);
  });

  it("tells retry in milliseconds and ignores one that is no number", () => {
    expect(read(["retry: 0\nretry: 250\nretry: soon\n\n"]).retries).toEqual([0, 250]);
  });

  it("ignores comments, unknown fields and ids with NUL", () => {
    expect(read([": hi\nfoo: bar\nid: a\0b\ndata: x\n\n"]).events).toEqual([
      { event: undefined, id: undefined, data: "x", complete: true },
    ]);
  });

  it("takes data of exactly the limit in bytes and drops one byte more, and only that event", () => {
    expect(read(["data: äbcde\n\n"], 6).events.map((each) => each.data)).toEqual(["äbcde"]);
    expect(read(["data: äbcde\n\ndata: ok\n\n"], 5).events.map((each) => each.data)).toEqual(["ok"]);
  });

  it("drops the rest of an event over the limit, whatever lines it has, once", () => {
    const big = `data: ${"x".repeat(2000)}`;

    for (const pieces of [
      [big, "x\ndata: junk\n\ndata: ok\n\n"],
      [big, "x\n", "data: junk\n", "\ndata: ok\n\n"],
      [big, "x\n", "\n", "data: ok\n\n"],
      [`${big}\n`, "\ndata: ok\n\n"],
    ]) {
      const seen = read(pieces, 10);
      expect([seen.events.map((each) => each.data), seen.oversize]).toEqual([["ok"], 1]);
    }
    expect(read([big, "data: junk\n"], 10)).toMatchObject({ events: [], oversize: 1 });
  });

  it("loses nothing after a field that is none, or a retry that is no number", () => {
    expect(read(["foo: bar\n", "retry: soon\n", "data: a\n\ndata: b\n\n"])).toMatchObject({
      events: [{ data: "a" }, { data: "b" }],
      oversize: 0,
    });
  });

  it("takes empty pieces for nothing", () => {
    expect(
      read(["", "\ufeffdata: a\r", "", "\ndata: \ufeffb\r\n\r\n"]).events.map((each) => each.data),
    ).toEqual(["a\n\ufeffb"]);
    expect(read(["data: a", "\ufeffb\n\n"]).events.map((each) => each.data)).toEqual(["a\ufeffb"]);
  });

  it.each([
    ["abcdef", 6, 1],
    ["abcdefg", 6, 0],
    ["äää", 6, 1],
    ["ääää", 6, 0],
    ["€€", 6, 1],
    ["ab", 6, 1],
  ])("takes %s for at most %i bytes: %i", (data, maxBytes, count) => {
    expect(read([`data: ${data}\n\n`], maxBytes)).toMatchObject({ oversize: 1 - count });
  });

  it("goes on behind an event far over the limit, in pieces of any size", () => {
    const text = `data: first\n\ndata: ${"x".repeat(5000)}\ndata: ${"y".repeat(5000)}\n\ndata: last\n\n`;

    for (const size of [1, 7, 100, 1500, 20_000]) {
      const seen = read(cut(text, [size]), 100);

      expect(seen.events.map((each) => each.data)).toEqual(["first", "last"]);
      expect(seen.oversize).toBe(1);
    }
  });

  it("reads the same events whatever the line ends and the cuts", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, "-"));
    const event = fc.record({
      data: fc.array(line, { minLength: 1, maxLength: 3 }),
      comment: fc.boolean(),
    });
    const ends = fc.array(fc.constantFrom("\n", "\r\n", "\r"), { minLength: 1, maxLength: 5 });
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), ends, sizes, (events, lineEnds, pieces) => {
        const lines = events.flatMap(({ data, comment }) => [
          ...(comment ? [": note"] : []),
          ...data.map((each) => `data: ${each}`),
          "",
        ]);
        // A CR before an LF of its own would be read as one CRLF: such a pair of ends is written as CRLF CRLF.
        let text = "";
        for (const [at, each] of lines.entries()) {
          const end = lineEnds[at % lineEnds.length] ?? "\n";
          text += each + (text.endsWith("\r") && each === "" && end === "\n" ? "\r\n" : end);
        }

        const seen = read(cut(text, pieces));

        expect(seen.events.map((each) => each.data)).toEqual(events.map(({ data }) => data.join("\n")));
        expect(seen.events.every((each) => each.complete)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("never throws, whatever comes", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 50 }), (pieces, limit) => {
        const seen = read(pieces, limit);

        expect(seen.events.every((each) => Buffer.byteLength(each.data) <= limit)).toBe(true);
      }),
    );
  });
});

function read(pieces: readonly string[], maxBytes = 1000): Seen {
  const seen: Seen = { events: [], retries: [], oversize: 0 };
  const reader = readerInto(seen, maxBytes);
  for (const piece of pieces) reader.feed(piece);
  reader.end();
  return seen;
}

function readerInto(seen: Seen, maxBytes: number): ReturnType<typeof createEventReader> {
  return createEventReader({
    maxBytes,
    onEvent: (event) => void seen.events.push(event),
    onRetry: (ms) => void seen.retries.push(ms),
    onOversize: () => {
      seen.oversize += 1;
    },
  });
}

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}
