import { describe, expect, it } from "vitest";
import { withOutputCheck } from "../../src/tools/output.js";
import { renderResult } from "../../src/tools/result.js";
import type { ToolEntry } from "../../src/tools/entries.js";

function entry(outputSchema?: Record<string, unknown>): ToolEntry {
  const tool = { name: "count", inputSchema: { type: "object" }, ...(outputSchema && { outputSchema }) };
  return { name: "mcp_s_count", server: "s", tool, excluded: false, cached: false };
}

const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const asked = { server: "s", tool: "count", resultChars: 12_000 };
const content = [{ type: "text", text: "the number is 1" }];

describe("a result and its outputSchema", () => {
  it("is the same object when it fits, when there is none, and with the check off", async () => {
    const fitting = renderResult({ content, structuredContent: { n: 1 } }, asked);
    const odd = renderResult({ content, structuredContent: { n: "1" } }, asked);

    expect(await withOutputCheck(fitting, entry(schema), "warn")).toBe(fitting);
    expect(withOutputCheck(odd, entry(), "warn")).toBe(odd);
    expect(withOutputCheck(odd, entry(schema), "off")).toBe(odd);
  });

  it("is delivered with a mark when it does not fit", async () => {
    const checked = await withOutputCheck(
      renderResult({ content, structuredContent: { n: "one" } }, asked),
      entry(schema),
      "warn",
    );

    expect(checked).toEqual({
      ok: true,
      text: "the number is 1",
      content,
      structured: { n: "one" },
      warnings: [
        'structuredContent does not fit outputSchema: /n: Instance type "string" is invalid. Expected "number".',
      ],
    });
  });

  it("is delivered with a mark when the structured part is missing", async () => {
    const checked = await withOutputCheck(renderResult({ content }, asked), entry(schema), "warn");

    expect(checked).toMatchObject({
      ok: true,
      warnings: ["structuredContent does not fit outputSchema: there is none"],
    });
  });

  it("becomes an error that still holds the text in the strict mode", async () => {
    const checked = await withOutputCheck(renderResult({ content }, asked), entry(schema), "fail");

    expect(checked).toMatchObject({
      ok: false,
      text: "the number is 1",
      content,
      failure: { kind: "invalid-result" },
    });
    expect(checked.failure?.message).toContain('server "s" answered the call of tool "count"');
  });

  it("stays ok in the strict mode when it could not be checked", async () => {
    const checked = await withOutputCheck(
      renderResult({ content, structuredContent: { n: 1 } }, asked),
      entry({ $ref: "#/nowhere" }),
      "fail",
    );

    expect(checked).toMatchObject({
      ok: true,
      warnings: [
        'outputSchema has a $ref that leads nowhere in it ("#/nowhere"); the result was not checked',
      ],
    });
  });

  it("is not checked when the tool reported an error", () => {
    const failed = renderResult({ content, isError: true }, asked);

    expect(withOutputCheck(failed, entry(schema), "fail")).toBe(failed);
  });
});
