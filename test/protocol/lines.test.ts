import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader, type LostLine } from "../../src/protocol/lines.js";

function read(chunks: readonly Uint8Array[], maxBytes = 1000): { lines: string[]; lost: LostLine[] } {
  const lines: string[] = [];
  const lost: LostLine[] = [];
  const reader = createLineReader({
    maxBytes,
    onLine: (text) => lines.push(text),
    onOversize: (line) => lost.push(line),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { lines, lost };
}

function bytes(text: string): Buffer {
  return Buffer.from(text, "utf8");
}

/** Cuts the bytes at the given places, which may be anywhere, also within a character. */
function cut(whole: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (whole.length + 1)), whole.length].toSorted(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((to, index) => whole.subarray(sorted[index], to));
}

describe("the line reader", () => {
  it("gives each line once, without its line end, and skips blank ones", () => {
    const { lines } = read([bytes('{"a":1}\r\n\n  \r\n{"b":2}\nrest')]);

    expect(lines).toEqual(['{"a":1}', '{"b":2}', "rest"]);
  });

  it("drops a byte order mark at the very start only, even when it comes in pieces", () => {
    const { lines } = read([
      Buffer.from([0xef]),
      Buffer.from([0xbb]),
      Buffer.from([0xbf, 0x61, 0x0a]),
      bytes("\uFEFFb\nc\uFEFFd\n"),
    ]);

    expect(lines).toEqual(["a", "\uFEFFb", "c\uFEFFd"]);
  });

  it("keeps characters whole that arrive byte by byte", () => {
    const { lines } = read([...bytes("ü€😀\n")].map((byte) => Uint8Array.of(byte)));

    expect(lines).toEqual(["ü€😀"]);
  });

  it("splits at line feeds only and replaces what is no UTF-8", () => {
    const { lines } = read([bytes("a\u2028b\rc\0d\n"), Buffer.from([0x78, 0xff, 0x79, 0x0a])]);

    expect(lines).toEqual(["a\u2028b\rc\0d", "x\uFFFDy"]);
  });

  it("takes a line of exactly the limit, also with CRLF, and loses one that is a byte longer", () => {
    expect(read([bytes("12345\n12345\r\n")], 5).lines).toEqual(["12345", "12345"]);
    expect(read([bytes("12"), bytes("345\r"), bytes("\n")], 5).lines).toEqual(["12345"]);

    const { lines, lost } = read([bytes("12"), bytes("3456"), bytes("\nok\n")], 5);

    expect(lines).toEqual(["ok"]);
    expect(lost).toEqual([{ bytes: 6, limit: 5, head: "123456", tail: "123456" }]);
  });

  it.each([
    ["a blank first line in a chunk of whole lines", ["a\n", "\nb\n"], ["a", "b"]],
    ["carriage returns in a chunk of whole lines", ["a\r\n", "b\r\nc\r\n"], ["a", "b", "c"]],
    ["blank lines of every kind", ["a\n", "\n\r\n \r\n\t\nb\n"], ["a", "b"]],
    ["a byte order mark before whole lines", ["\uFEFFa\nb\n"], ["a", "b"]],
    ["a mark alone", ["\uFEFF\n", "b\n"], ["b"]],
    ["a rest after whole lines", ["a\n", "b\nc", "d\ne\n"], ["a", "b", "cd", "e"]],
    ["an empty chunk", ["a\n", "", "b", "", "\n"], ["a", "b"]],
    ["a first letter that begins like a mark", ["\uFEC0a\n"], ["\uFEC0a"]],
    ["a first letter that ends like a mark", ["\uFF3Fa\n"], ["\uFF3Fa"]],
    ["a third byte like that of a mark", ["a¿b\n"], ["a¿b"]],
    ["a carriage return alone at the end", ["a\r"], ["a"]],
  ])("reads %s", (_, chunks, expected) => {
    expect(read(chunks.map(bytes)).lines).toEqual(expected);
  });

  it("loses a line over the limit wherever it stands, and only the carriage return is free", () => {
    expect(read([bytes("a\n"), bytes("123456\nb\n")], 5)).toMatchObject({
      lines: ["a", "b"],
      lost: [{ bytes: 6 }],
    });
    expect(read([bytes("123456789\r\nb\n")], 5)).toMatchObject({ lines: ["b"], lost: [{ bytes: 10 }] });
    expect(read([bytes("123456\nb\n")], 5)).toMatchObject({ lines: ["b"], lost: [{ bytes: 6 }] });
    expect(read([bytes("a\n"), bytes("12345\r\n12345\n")], 5).lines).toEqual(["a", "12345", "12345"]);
  });

  it("tells both ends and the size of a line that is far too long, whatever its chunks", () => {
    const long = `HEAD${"x".repeat(5000)}TAIL`;

    for (const step of [1, 7, 4096, 100_000]) {
      const whole = bytes(`${long}\nnext\n`);
      const chunks = Array.from({ length: Math.ceil(whole.length / step) }, (_, index) =>
        whole.subarray(index * step, (index + 1) * step),
      );
      const { lines, lost } = read(chunks, 1000);

      expect(lines).toEqual(["next"]);
      expect(lost).toEqual([
        { bytes: 5008, limit: 1000, head: `HEAD${"x".repeat(508)}`, tail: `${"x".repeat(508)}TAIL` },
      ]);
    }
  });

  it("gives the same lines for any chunks", () => {
    const line = fc
      .string({ unit: "binary", maxLength: 40 })
      .map((text) => text.replaceAll(/[\r\n\uFEFF]/g, "·"));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (texts, places) => {
        const expected = texts.filter((text) => text.trim() !== "");

        const { lines, lost } = read(cut(bytes(texts.map((text) => `${text}\n`).join("")), places), 1000);

        expect(lost).toEqual([]);
        expect(lines).toEqual(expected.map((text) => bytes(text).toString("utf8")));
      }),
    );
  });

  it("loses the same lines for any chunks and any limit", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 12 });
    fc.assert(
      fc.property(sizes, fc.array(fc.nat()), fc.integer({ min: 1, max: 30 }), (lengths, places, limit) => {
        const whole = bytes(lengths.map((length) => `${"y".repeat(length)}\n`).join(""));

        const { lines, lost } = read(cut(whole, places), limit);

        expect(lines.map((text) => text.length)).toEqual(lengths.filter((length) => length <= limit));
        expect(lost.map((line) => line.bytes)).toEqual(lengths.filter((length) => length > limit));
      }),
    );
  });

  it("takes a large line of single bytes in linear time and memory", () => {
    const byte = bytes("z");
    let got = 0;
    const reader = createLineReader({
      maxBytes: 2_000_000,
      onLine: (text) => (got = text.length),
      onOversize: () => {},
    });

    for (let index = 0; index < 1_000_000; index++) reader.push(byte);
    reader.push(bytes("\n"));

    expect(got).toBe(1_000_000);
  });

  it("tells of a line over the limit while it grows, and which chunks it has let go", () => {
    const grown: number[] = [];
    const dropped: number[] = [];
    const reader = createLineReader({
      maxBytes: 10,
      onLine: () => {},
      onOversize: () => {},
      onGrowing: (line) => grown.push(line.bytes, line.head.length),
      onDropped: (chunk) => dropped.push(chunk.length),
    });

    for (const text of ["aaaaa", "bbbbbbb", "ccc", "d\n", "short\n"]) reader.push(bytes(text));

    expect(grown).toEqual([15, 12, 16, 12]);
    expect(dropped).toEqual([5, 7, 3, 1]);
  });
});
