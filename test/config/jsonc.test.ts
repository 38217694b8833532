import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonc } from "../../src/config/files/jsonc.js";

function valueOf(text: string): unknown {
  const reading = readJsonc(text);
  return reading.ok ? reading.value : reading.errors;
}

describe("readJsonc", () => {
  it("reads comments, trailing commas and a byte order mark", () => {
    expect(valueOf('\uFEFF// a\n{ /* "b" {} */ "x": ["// no", 1,], }')).toEqual({ x: ["// no", 1] });
  });

  it("gives the same value by the short way and by the long one", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const plain: unknown = JSON.parse(text);
        expect(valueOf(text)).toEqual(plain);
        expect(valueOf(`${text} // end`)).toEqual(plain);
      }),
    );
  });

  it.each([
    ["", [{ message: "the file is empty", line: 1, column: 1 }]],
    [" \n", [{ message: "the file is empty", line: 1, column: 1 }]],
    ['{\n  "a": 1\n  "b": 2\n}', [{ message: "comma expected", line: 3, column: 3 }]],
    ['{\r\n  "a": nope\r\n}', [{ message: "invalid symbol", line: 2, column: 8 }]],
  ])("tells the place of what is wrong in %j", (text, expected) => {
    expect(valueOf(text)).toEqual(expect.arrayContaining(expected));
  });

  it("reports each key that stands twice, at its second place, and takes the last", () => {
    const reading = readJsonc('{"a": {"k": 1,\n "k": 2}, "a.k": 3}');

    expect(reading).toMatchObject({
      ok: true,
      value: { a: { k: 2 }, "a.k": 3 },
      duplicates: [{ path: "a.k", line: 2, column: 2 }],
    });
  });

  it("finds the place of a field, of names with dots, and of the nearest thing around what is missing", () => {
    const reading = readJsonc('{\n "s": {\n  "a.b": {"x": 1},\n  "a": {"b": [10,\n 20]}\n }\n}');
    if (!reading.ok) throw new Error("not read");

    expect(reading.locate("s.a.b.x")).toEqual({ line: 3, column: 11 });
    expect(reading.locate("s.a.b.1")).toEqual({ line: 3, column: 3 });
    expect(reading.locate("s.a")).toEqual({ line: 4, column: 3 });
    expect(reading.locate("s.nope.x")).toEqual({ line: 2, column: 2 });
    expect(reading.locate("")).toEqual({ line: 1, column: 1 });
  });

  it.each(["", "// long way\n"])("keeps __proto__ a plain key (%j)", (before) => {
    const value = valueOf(`${before}{"__proto__": {"polluted": true}}`) as object;

    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("refuses absurd nesting without running out of stack", () => {
    expect(readJsonc("[".repeat(100_000)).ok).toBe(false);
    expect(readJsonc(`${"[".repeat(201)}${"]".repeat(201)}`).ok).toBe(false);
    expect(readJsonc(`${"[".repeat(200)}${"]".repeat(200)}`).ok).toBe(true);
    expect(valueOf(`{"a": "${"[".repeat(500)}"} // ${"{".repeat(500)}`)).toEqual({ a: "[".repeat(500) });
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[{}[\]",:/*a1 \n]*$/)), (text) => {
        expect(typeof readJsonc(text).ok).toBe("boolean");
      }),
    );
  });
});
