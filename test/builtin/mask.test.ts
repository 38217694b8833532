import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMask } from "../../src/builtin/tokens/mask.js";

const secret = fc
  .string({ minLength: 8, maxLength: 40, unit: "grapheme" })
  .filter((text) => text.trim() !== "");

describe("a mask", () => {
  it("hides raw, URL-encoded, base64 and JSON-escaped spellings", () => {
    const mask = createMask(['pass"word/+1']);

    expect(mask.text('a pass"word/+1 b')).toBe("a [secret] b");
    expect(mask.text("q=pass%22word%2F%2B1&x")).toBe("q=[secret]&x");
    expect(mask.text("Basic cGFzcyJ3b3JkLysx.")).toBe("Basic [secret].");
    expect(mask.text('{"k":"pass\\"word/+1"}')).toBe('{"k":"[secret]"}');
  });

  it("hides what looks like a token of a service whoever it belongs to", () => {
    const mask = createMask();

    expect(mask.text("ghp_0123456789abcdefghijABCDEFGHIJ012345 xoxb-123456789012-abc")).toBe(
      "[secret] [secret]",
    );
  });

  it("leaves texts alone that are too short to be secrets", () => {
    expect(createMask(["short", undefined, ""]).text("a short story")).toBe("a short story");
  });

  it("hides the longer of two secrets whole when one begins the other", () => {
    expect(createMask(["12345678", "1234567890"]).text("1234567890 12345678")).toBe("[secret] [secret]");
  });

  it("hides secrets in keys and values of JSON, also where a cut would fall into an escape", () => {
    const mask = createMask(["canary-1\\"]);

    expect(mask.json({ "canary-1\\": ['say "canary-1\\"', 7, null, { a: true }] })).toEqual({
      "[secret]": ['say "[secret]"', 7, null, { a: true }],
    });
  });

  it("never lets a secret through, wherever it stands", () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
        const mask = createMask([hidden]);

        expect(mask.text(`${before}${hidden}${after}`)).not.toContain(hidden);
        const json = JSON.stringify(mask.json({ a: [`x${hidden}`] }));
        expect(json).not.toContain(JSON.stringify(hidden).slice(1, -1));
      }),
    );
  });
});
