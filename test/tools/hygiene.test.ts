import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanTools } from "../../src/tools/hygiene.js";
import { isWithin } from "../../src/tools/measure.js";

const limits = { tools: 500, schemaBytes: 256 * 1024 };

function tool(name: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { name, description: `tool ${String(name)}`, inputSchema: { type: "object" }, ...more };
}

function nested(depth: number): Record<string, unknown> {
  let schema: Record<string, unknown> = { type: "object" };
  for (let i = 1; i < depth; i++) schema = { not: schema };
  return { ...schema, type: "object" };
}

describe("a list of tools", () => {
  it("is passed on as the same objects when it is sound", () => {
    const list = [tool("a", { annotations: { readOnlyHint: true }, vendor: 1 }), tool("b\u202e\u0000")];

    const { tools, warnings } = cleanTools(list, limits);

    expect(tools[0]).toBe(list[0]);
    expect(tools[1]).toBe(list[1]);
    expect(warnings).toEqual([]);
  });

  it("loses no good tool to the malformed ones beside it", () => {
    const list = [
      tool("good"),
      { name: "no-schema" },
      { name: "null-schema", inputSchema: null },
      tool("top-anyof", { inputSchema: { anyOf: [{ type: "object" }] } }),
      tool("required-null", { inputSchema: { type: "object", properties: {}, required: null } }),
      tool("string-schema", { inputSchema: { type: "string" } }),
      tool(""),
      { inputSchema: { type: "object" } },
      tool(42),
      tool("number-description", { description: 7 }),
      tool("good", { description: "double" }),
      null,
      "text",
      tool("good-too"),
    ];

    const { tools, warnings } = cleanTools(list, limits);

    expect(tools).toEqual([
      { name: "good", description: "tool good", inputSchema: { type: "object" } },
      { name: "no-schema", inputSchema: { type: "object" } },
      { name: "null-schema", inputSchema: { type: "object" } },
      {
        name: "top-anyof",
        description: "tool top-anyof",
        inputSchema: { anyOf: [{ type: "object" }], type: "object" },
      },
      {
        name: "required-null",
        description: "tool required-null",
        inputSchema: { type: "object", properties: {} },
      },
      { name: "string-schema", description: "tool string-schema", inputSchema: { type: "object" } },
      { name: "number-description", inputSchema: { type: "object" } },
      { name: "good-too", description: "tool good-too", inputSchema: { type: "object" } },
    ]);
    expect(warnings).toEqual([
      'tool "no-schema": its inputSchema is missing; any arguments are passed on',
      'tool "null-schema": its inputSchema is no object; any arguments are passed on',
      'tool "top-anyof": its inputSchema has no type; "object" is added',
      'tool "required-null": its inputSchema has a `required` that is no list of names; it is left out',
      'tool "string-schema": its inputSchema does not describe an object; any arguments are passed on',
      "tool 7 of the list is withheld: it has an empty name",
      "tool 8 of the list is withheld: it has no name",
      "tool 9 of the list is withheld: it has a name that is no text",
      'tool "number-description": its description is no text and is left out',
      'tool "good" is there twice; the first one is used',
      "tool 12 of the list is withheld: it is null",
      "tool 13 of the list is withheld: it is no object",
    ]);
  });

  it("takes hints of a wrong type for not given", () => {
    const list = [
      tool("odd", { annotations: { readOnlyHint: "true", destructiveHint: false, title: 5, x: 1 } }),
      tool("odder", { annotations: "harmless" }),
      tool("oddest", { outputSchema: [] }),
    ];

    const { tools, warnings } = cleanTools(list, limits);

    expect(tools[0]?.annotations).toEqual({ destructiveHint: false, x: 1 });
    expect(tools[1]).not.toHaveProperty("annotations");
    expect(tools[2]).not.toHaveProperty("outputSchema");
    expect(warnings).toEqual([
      'tool "odd": its annotations have readOnlyHint, title of a wrong type; they count as not given',
      'tool "odder": its annotations are no object and count as not given',
      'tool "oddest": its outputSchema is no object and is left out',
    ]);
  });

  it("withholds a schema one byte over the limit, and keeps one of exactly the limit", () => {
    const inputSchema = { type: "object", description: "é".repeat(10) };

    expect(cleanTools([tool("a", { inputSchema })], { tools: 500, schemaBytes: 54 }).tools).toHaveLength(1);
    expect(cleanTools([tool("a", { inputSchema })], { tools: 500, schemaBytes: 53 })).toEqual({
      tools: [],
      warnings: ['tool "a" is withheld: its inputSchema is larger than 53 bytes'],
    });
  });

  it("withholds a schema nested deeper than 64, and keeps one of exactly 64", () => {
    expect(cleanTools([tool("a", { outputSchema: nested(64) })], limits).tools).toHaveLength(1);
    expect(cleanTools([tool("a", { outputSchema: nested(65) })], limits)).toEqual({
      tools: [],
      warnings: ['tool "a" is withheld: its outputSchema is nested deeper than 64'],
    });
  });

  it("takes as many tools as the limit says and tells how many are over", () => {
    const list = Array.from({ length: 503 }, (_, at) => tool(`t${at}`));

    const { tools, warnings } = cleanTools(list, limits);

    expect(tools).toHaveLength(500);
    expect(warnings).toEqual(["3 tools are withheld: the list is longer than the limit of 500"]);
  });

  it("never throws, whatever a server sends", () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.record({ name: fc.string(), inputSchema: fc.jsonValue(), annotations: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(fc.array(anything), (list) => {
        const { tools, warnings } = cleanTools(list, limits);

        expect(tools.length + warnings.length).toBeGreaterThanOrEqual(list.length);
        expect(tools.filter((each) => each.inputSchema["type"] !== "object")).toEqual([]);
      }),
    );
  });
});

describe("the size of a JSON value", () => {
  it("is judged to the byte of its UTF-8", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const bytes = new TextEncoder().encode(JSON.stringify(value)).length;

        expect(isWithin(value, { bytes, depth: Infinity }).bytes).toBe(true);
        expect(isWithin(value, { bytes: bytes - 1, depth: Infinity }).bytes).toBe(false);
      }),
    );
  });
});
