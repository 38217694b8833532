import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTame } from "../../src/tools/tamePattern.js";
import { checkOutput } from "../../src/tools/schemaCheck.js";
import type { OutputCheck } from "../../src/tools/schemaCheck.js";

type Schema = Readonly<Record<string, unknown>>;

function entryWith(outputSchema: Schema): { tool: { outputSchema: Schema }; output?: OutputCheck } {
  return { tool: { outputSchema } };
}

const number = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

const long = (length: number) => "a".repeat(length);

describe("the check against outputSchema", () => {
  it("is asynchronous the first time of a process, and compiles each schema once", async () => {
    const entry = entryWith(number);
    await checkOutput(entry, { n: 1 });
    const compiled = entry.output;

    expect(checkOutput(entry, { n: 1 })).toEqual({ kind: "fits", reasons: [] });
    expect(entry.output).toBe(compiled);
    expect(compiled).toBeTypeOf("function");
  });

  it.each([
    [{ n: "one" }, ['/n: Instance type "string" is invalid. Expected "number".']],
    [{}, ['/: Instance does not have required property "n".']],
    [[], ['/: Instance type "array" is invalid. Expected "object".']],
    [{ n: 1, m: 2 }, ["/m: is not allowed"]],
  ])("names path and reason for %j", async (structured, reasons) => {
    const entry = entryWith({ ...number, additionalProperties: false });

    expect(await checkOutput(entry, structured)).toEqual({ kind: "mismatch", reasons });
  });

  it("names a few reasons of many", async () => {
    const entry = entryWith({ type: "array", items: { type: "number" } });

    const verdict = await checkOutput(entry, ["a", "b", "c", "d", "e", "f", "g"]);

    expect(verdict.reasons).toHaveLength(6);
    expect(verdict.reasons[5]).toBe("and 2 more");
  });

  it.each([
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
  ])("knows the dialect %s", async ($schema) => {
    const entry = entryWith({ $schema, ...number });

    expect((await checkOutput(entry, { n: 1 })).kind).toBe("fits");
    expect((await checkOutput(entry, { n: "1" })).kind).toBe("mismatch");
  });

  it("reads a schema without $schema as 2020-12", async () => {
    const entry = entryWith({ prefixItems: [{ type: "string" }], items: false });

    expect((await checkOutput(entry, ["a"])).kind).toBe("fits");
    expect(await checkOutput(entry, ["a", 1])).toEqual({
      kind: "mismatch",
      reasons: ["/1: is not allowed"],
    });
  });

  it.each([
    [
      { $schema: "https://example.invalid/mine" },
      'names a dialect that is not known ("https://example.invalid/mine")',
    ],
    [{ $schema: 7 }, "names a dialect that is not known (7)"],
    [
      { properties: { n: { $ref: "#/$defs/Missing" } } },
      'has a $ref that leads nowhere in it ("#/$defs/Missing")',
    ],
    [
      { $ref: "https://example.com/s.json" },
      'has a $ref that leads nowhere in it ("https://example.com/s.json")',
    ],
    [{ properties: { n: { type: "nubmer" } } }, 'names a type that does not exist ("nubmer")'],
    [{ type: null }, "names a type that does not exist (null)"],
    [{ anyOf: {} }, "cannot be evaluated"],
    [{ required: 5 }, "cannot be evaluated"],
    [{ $id: "https://[" }, "cannot be compiled"],
    [{ patternProperties: { "(a+)+$": {} } }, "has patterns that cost too much to match"],
  ])("is left out with a reason for %j (row 37)", async (schema, reason) => {
    expect(await checkOutput(entryWith(schema), { n: 1 })).toEqual({
      kind: "unchecked",
      reasons: [`outputSchema ${reason}; the result was not checked`],
    });
  });

  it("does not write into the schema that was sent", async () => {
    const schema = {
      type: "object",
      properties: { n: { $ref: "#/$defs/x" } },
      $defs: { x: { type: "number" } },
    };
    Object.freeze(schema);
    Object.freeze(schema.properties.n);
    Object.freeze(schema.$defs.x);

    expect((await checkOutput(entryWith(schema), { n: 1 })).kind).toBe("fits");
    expect(Object.getOwnPropertyNames(schema)).toEqual(["type", "properties", "$defs"]);
  });

  it("takes format for an annotation and ignores patterns that could run for ever", async () => {
    const entry = entryWith({ properties: { a: { format: "email" }, b: { pattern: "^(a+)+$" } } });

    expect((await checkOutput(entry, { a: "none", b: `${"a".repeat(60)}!` })).kind).toBe("fits");
  });

  it("still matches tame patterns", async () => {
    const entry = entryWith({ properties: { a: { pattern: "^[a-f0-9]{4}$" } } });

    expect((await checkOutput(entry, { a: "00ff" })).kind).toBe("fits");
    expect(await checkOutput(entry, { a: "zzzz" })).toEqual({
      kind: "mismatch",
      reasons: ["/a: String does not match pattern."],
    });
  });

  it("ends a schema that doubles its own work at every step", async () => {
    const $defs: Record<string, unknown> = { s0: { type: "object" } };
    for (let i = 1; i <= 40; i++)
      $defs[`s${i}`] = { anyOf: [{ $ref: `#/$defs/s${i - 1}` }, { $ref: `#/$defs/s${i - 1}` }] };

    expect(await checkOutput(entryWith({ $defs, $ref: "#/$defs/s40" }), {})).toEqual({
      kind: "unchecked",
      reasons: ["outputSchema costs too much to evaluate; the result was not checked"],
    });
  });

  it("ends a schema that refers to nothing but itself", async () => {
    expect((await checkOutput(entryWith({ $ref: "#" }), {})).kind).toBe("unchecked");
  });

  it("leaves out values that would take too long", async () => {
    const unique = entryWith({ uniqueItems: true });
    const list = Array.from({ length: 1001 }, (_, at) => at);

    expect((await checkOutput(unique, list.slice(1))).kind).toBe("fits");
    expect(await checkOutput(unique, list)).toEqual({
      kind: "unchecked",
      reasons: ["structured content has a list too long to look for doubles; the result was not checked"],
    });
    expect((await checkOutput(entryWith({ pattern: "a" }), "a".repeat(2001))).kind).toBe("unchecked");
  });

  it("counts the cost of each result for itself", async () => {
    const entry = entryWith({ type: "array", items: { type: "number" } });
    const list = Array.from({ length: 150 }, (_, at) => at);

    for (let result = 0; result < 1000; result++) expect((await checkOutput(entry, list)).kind).toBe("fits");
  });

  it("measures keys and texts that patterns are matched against, to the character", async () => {
    const keys = entryWith({ patternProperties: { "^a+$": { type: "number" } } });
    const texts = entryWith({ properties: { a: { items: { pattern: "^a+$" } } } });
    const tooLong = {
      kind: "unchecked",
      reasons: ["structured content has a text too long to match a pattern; the result was not checked"],
    };

    expect((await checkOutput(keys, { [long(2000)]: 1 })).kind).toBe("fits");
    expect(await checkOutput(keys, { [long(2001)]: 1 })).toEqual(tooLong);
    expect(await checkOutput(keys, { b: [{ [long(2001)]: 1 }] })).toEqual(tooLong);
    expect((await checkOutput(texts, { a: [long(2000)] })).kind).toBe("fits");
    expect(await checkOutput(texts, { a: [long(2001)] })).toEqual(tooLong);
    expect((await checkOutput(entryWith({ type: "object" }), { a: long(5000) })).kind).toBe("fits");
  });

  it("never throws, whatever schema and value are", async () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "items",
      "anyOf",
      "$ref",
      "required",
      "pattern",
      "enum",
      "not",
    );
    const schema = fc.dictionary(keyword, fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(schema, fc.jsonValue(), async (outputSchema, value) => {
        const verdict = await checkOutput(entryWith(outputSchema), value);

        expect(["fits", "mismatch", "unchecked"]).toContain(verdict.kind);
        expect(verdict.reasons.length > 0).toBe(verdict.kind !== "fits");
      }),
    );
  });
});

describe("a pattern", () => {
  it.each(["^[a-z]+$", "^\\d{4}-\\d{2}-\\d{2}$", "a|b", "^(?:yes|no)$", "^[^@]+@[^@]+$", "\\p{L}", "[(+]"])(
    "%s is tame",
    (pattern) => {
      expect(isTame(pattern)).toBe(true);
    },
  );

  it.each([
    "(a+)+",
    "^(a|a)*$",
    "(?:a|aa){2,}",
    "a*a*a*b",
    "(.)\\1",
    "(",
    "a?a?a?a?a?a?a?a?a?a",
    "a".repeat(257),
    7,
  ])("%s is not tame", (pattern) => {
    expect(isTame(pattern)).toBe(false);
  });
});
