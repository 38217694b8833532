import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnsOf, jsonText, truncate, visible, visibleLines } from "../../src/cli/screen/visible.js";

describe("text of servers on a terminal", () => {
  it.each([
    ["\u001b[31mred\u001b[0m", "\\x1b[31mred\\x1b[0m"],
    ["\u001b]0;title\u0007", "\\x1b]0;title\\x07"],
    ["\u009b2J", "\\x9b2J"],
    ["a\rb\nc\td", "a\\rb\\nc\\td"],
    ["back\u0008space\u007f", "back\\x08space\\x7f"],
    ["\u202egnp.exe", "\\u202egnp.exe"],
    ["\u2066x\u2069", "\\u2066x\\u2069"],
    ["zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"],
    ["tag\u{e0041}", "tag\\u{e0041}"],
    ["lone\ud800", "lone\\ud800"],
    ["line\u2028end\u2029", "line\\u2028end\\u2029"],
    ["Grüße, 世界 🎉", "Grüße, 世界 🎉"],
  ])("shows what steers or hides as an escape: %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it("keeps line feeds and tabs where text may have lines", () => {
    expect(visibleLines("one\r\ntwo\tthree\u001b[2J")).toBe("one\ntwo\tthree\\x1b[2J");
  });

  it("never leaves a control character, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visible(text)).not.toMatch(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
      }),
    );
  });

  it("writes JSON without control characters that parses to the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
        const written = jsonText({ value, text });

        expect(written).not.toMatch(/\p{Cc}|\p{Cf}/u);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify({ value, text })));
      }),
    );
  });
});

describe("columns", () => {
  it("counts wide characters as two and combining marks as none", () => {
    expect(columnsOf("abc")).toBe(3);
    expect(columnsOf("世界")).toBe(4);
    expect(columnsOf("e\u0301")).toBe(1);
  });

  it("truncates at a character, never in the middle of a wide one", () => {
    expect(truncate("世界世界", 5)).toBe("世界…");
    expect(truncate("short", 5)).toBe("short");
    expect(truncate("longer", 5)).toBe("long…");
  });
});
