import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderResult } from "../../src/tools/result.js";

const asked = { server: "files", tool: "read", resultChars: 12_000 };

function text(value: string) {
  return { type: "text", text: value };
}

describe("a result", () => {
  it("of one text block is passed on as it is", () => {
    const content = [text("hi")];

    const rendered = renderResult({ content }, asked);

    expect(rendered).toEqual({ ok: true, text: "hi", content: [text("hi")], warnings: [] });
    expect(rendered.content).toBe(content);
  });

  it("names in its text what is no text, and keeps all blocks", () => {
    const content = [
      text("hi"),
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "demo://r", text: "res" } },
      { type: "resource", resource: { uri: "demo://b", mimeType: "application/zip", blob: "AAAAAAAA" } },
      { type: "resource_link", uri: "demo://link", name: "link", mimeType: "text/plain", size: 7 },
    ];

    const rendered = renderResult({ content }, asked);

    expect(rendered.content).toBe(content);
    expect(rendered.text.split("\n")).toEqual([
      "hi",
      "[image: image/png, 8 bytes, not shown]",
      "[audio: audio/wav, 4 bytes, not shown]",
      "res",
      "[resource: demo://b, application/zip, 6 bytes, not shown]",
      "[resource link: link, demo://link, text/plain, 7 bytes]",
    ]);
  });

  it.each([
    [{ type: "json", json: { a: 1 } }, "[json block, 30 characters of JSON, not shown]"],
    [{ type: "text", text: 7 }, "[text block, 24 characters of JSON, not shown]"],
    [{ type: "image" }, "[image block, 16 characters of JSON, not shown]"],
    [{ type: "resource" }, "[resource block, 19 characters of JSON, not shown]"],
    [{ type: "a\nb\u202e]" }, "[a b\\u{202e}] block, 17 characters of JSON, not shown]"],
  ])("keeps and names a block it does not know: %j", (block, line) => {
    const content = [text("first"), block, text("last")];

    const rendered = renderResult({ content }, asked);

    expect(rendered).toEqual({ ok: true, text: `first\n${line}\nlast`, content, warnings: [] });
  });

  it.each([
    [{ content: null }, [], "", "content was null, read as empty"],
    [{ content: "plain" }, [text("plain")], "plain", "content was a text, read as one text block"],
    [{ content: text("one") }, [text("one")], "one", "content was one block, read as a list of it"],
    [{}, [], "", "the result had no content"],
    [
      { content: ["a", null, 3, { x: 1 }] },
      [
        text("a"),
        text("[block without a type: null]"),
        text("[block without a type: 3]"),
        text('[block without a type: {"x":1}]'),
      ],
      'a\n[block without a type: null]\n[block without a type: 3]\n[block without a type: {"x":1}]',
      "content had blocks that are none; they were replaced by texts",
    ],
  ])("is repaired with a warning: %j", (raw, content, shown, warning) => {
    expect(renderResult(raw, asked)).toEqual({ ok: true, text: shown, content, warnings: [warning] });
  });

  it("in the old field toolResult is read as structured content", () => {
    expect(renderResult({ toolResult: { a: 1 } }, asked)).toEqual({
      ok: true,
      text: '{"a":1}',
      content: [],
      structured: { a: 1 },
      warnings: ["the result came in the old field toolResult"],
    });
  });

  it.each([
    [{ a: 1 }, '{"a":1}'],
    [null, "null"],
    [0, "0"],
    [false, "false"],
    ["", '""'],
    [[], "[]"],
  ])("shows structured content %j as JSON where there is no text (row 37)", (structuredContent, shown) => {
    expect(renderResult({ content: [], structuredContent }, asked)).toEqual({
      ok: true,
      text: shown,
      content: [],
      structured: structuredContent,
      warnings: [],
    });
    expect(renderResult({ structuredContent }, asked).text).toBe(shown);
  });

  it("does not show structured content twice", () => {
    const rendered = renderResult({ content: [text('{"a": 1}')], structuredContent: { a: 1 } }, asked);

    expect(rendered).toMatchObject({ text: '{"a": 1}', structured: { a: 1 } });
  });

  it.each([[null], ["text"], [5], [[]], [undefined], [{ content: 5 }], [{ content: { x: 1 } }]])(
    "that makes no sense fails at once: %j",
    (raw) => {
      const rendered = renderResult(raw, asked);

      expect(rendered).toMatchObject({ ok: false, failure: { kind: "invalid-result" } });
      expect(rendered.text).toMatch(/^server "files" answered the call of tool "read" with a result that /);
    },
  );

  it("with isError keeps the server's text", () => {
    expect(renderResult({ content: [text("disk full")], isError: true }, asked)).toEqual({
      ok: false,
      text: "disk full",
      content: [text("disk full")],
      warnings: [],
      failure: {
        kind: "tool-error",
        message: 'tool "read" of server "files" reported an error: disk full',
      },
    });
    expect(renderResult({ content: [], isError: true }, asked).failure?.message).toBe(
      'tool "read" of server "files" reported an error: it gave no reason',
    );
  });

  it.each([
    [true, false],
    ["true", false],
    [1, false],
    [false, true],
    [null, true],
    [undefined, true],
    ["false", true],
  ])("with isError %j is ok: %j", (isError, ok) => {
    expect(renderResult({ content: [text("x")], isError }, asked).ok).toBe(ok);
  });

  it("of exactly the limit is whole, of one more is cut with a notice of both sizes", () => {
    const exact = "x".repeat(12_000);

    expect(renderResult({ content: [text(exact)] }, asked).text).toBe(exact);

    const rendered = renderResult({ content: [text(`${exact}y`)] }, asked);

    expect(rendered.text).toBe(
      `${"x".repeat(11_936)}\n[cut: 11936 of 12001 characters shown; content holds all of it]`,
    );
    expect(rendered.content).toEqual([text(`${exact}y`)]);
    expect(rendered.warnings).toEqual([
      "text was cut from 12001 to at most 12000 characters; content holds all of it",
    ]);
  });

  it("without a limit stays whole", () => {
    const long = "x".repeat(1_000_000);

    expect(renderResult({ content: [text(long)] }, { ...asked, resultChars: Infinity }).text).toBe(long);
  });

  it("is never longer than the limit and never ends in half a character", () => {
    const unit = fc.string({ unit: fc.constantFrom("😀", "a", "é"), minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(unit, fc.integer({ min: 0, max: 300 }), (long, resultChars) => {
        const rendered = renderResult({ content: [text(long)] }, { ...asked, resultChars });

        expect(rendered.text.length).toBeLessThanOrEqual(Math.max(resultChars, 0));
        expect(rendered.text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
      }),
    );
  });

  it("of any shape gives a JSON-safe answer and never throws", () => {
    const shape = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          content: fc.jsonValue(),
          structuredContent: fc.jsonValue(),
          isError: fc.jsonValue(),
          toolResult: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      fc.record({
        content: fc.array(fc.dictionary(fc.constantFrom("type", "text", "data"), fc.jsonValue())),
      }),
    );
    fc.assert(
      fc.property(shape, (raw) => {
        const rendered = renderResult(raw, asked);

        expect(typeof rendered.text).toBe("string");
        expect(rendered.ok).toBe(rendered.failure === undefined);
        const json = JSON.stringify(rendered);
        expect(JSON.stringify(JSON.parse(json))).toBe(json);
      }),
      { numRuns: 500 },
    );
  });
});
