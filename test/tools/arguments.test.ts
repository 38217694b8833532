import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareArguments } from "../../src/tools/arguments.js";

function entry(inputSchema: Record<string, unknown> = { type: "object" }) {
  return { server: "files", tool: { name: "read", inputSchema } };
}

function coerced(properties: Record<string, unknown>, args: unknown, more: Record<string, unknown> = {}) {
  return prepareArguments(args, entry({ type: "object", properties, ...more }), { coerce: true });
}

describe("arguments", () => {
  it.each([[undefined], [null]])("become {} when they are %s", (args) => {
    expect(prepareArguments(args, entry(), { coerce: true })).toEqual({ ok: true, args: {}, warnings: [] });
  });

  it.each([
    [[1], "a list"],
    ["text", "a string"],
    [3, "a number"],
    [true, "a boolean"],
    ['{"a":1}', "a string"],
  ])("are refused before anything is sent when they are %j", (args, got) => {
    const prepared = prepareArguments(args, entry(), { coerce: true });

    expect(prepared).toEqual({
      ok: false,
      message:
        `tool "read" of server "files" takes its arguments as one object, got ${got}; nothing was sent. ` +
        "Pass an object such as {} with the fields of its inputSchema",
    });
  });

  it("keep null fields and stay the same object when nothing changes", () => {
    const args = { a: null, b: "5", c: [1], d: { e: 1 } };

    const prepared = coerced({ b: { type: "string" }, c: { type: "array" }, d: { type: "object" } }, args);

    expect(prepared).toMatchObject({ ok: true, warnings: [] });
    expect(prepared.ok && prepared.args).toBe(args);
  });

  it.each([
    ["5", { type: "integer" }, 5, "number"],
    ["-0.5e2", { type: "number" }, -50, "number"],
    ["true", { type: "boolean" }, true, "boolean"],
    ["false", { type: ["boolean", "null"] }, false, "boolean"],
    ['{"x":1}', { type: "object" }, { x: 1 }, "object"],
    ["[1,2]", { type: "array" }, [1, 2], "list"],
    ["7", { anyOf: [{ type: "integer" }, { type: "null" }] }, 7, "number"],
    ["2", { type: "integer", enum: [1, 2] }, 2, "number"],
    ["9", { $ref: "#/$defs/count" }, 9, "number"],
  ])("turn %j into what %j asks for, and say so", (text, schema, value, kind) => {
    const prepared = coerced({ f: schema }, { f: text }, { $defs: { count: { type: "integer" } } });

    expect(prepared).toEqual({
      ok: true,
      args: { f: value },
      warnings: [`argument f: text was turned into a ${kind}, as inputSchema asks`],
    });
  });

  it.each([
    ["5", { type: "string" }],
    ["5", { type: ["integer", "string"] }],
    ["5", { anyOf: [{ type: "string" }, { type: "integer" }] }],
    ["5", {}],
    ["5", { anyOf: [{ type: "integer" }, {}] }],
    ["5", { type: "integer", enum: [1, 2] }],
    ["05", { type: "integer" }],
    [" 5", { type: "integer" }],
    ["1.5", { type: "integer" }],
    ["123456789012345678901", { type: "integer" }],
    ["1e999", { type: "number" }],
    ["yes", { type: "boolean" }],
    ["{oops", { type: "object" }],
    ["[1]", { type: "object" }],
    ["5", { $ref: "#/$defs/nowhere" }],
    ["5", { $ref: "https://example.com/x.json" }],
    ["5", { $ref: "#/$defs/self" }],
    ["5", true],
  ])("leave %j alone under %j", (text, schema) => {
    const args = { f: text };

    const prepared = coerced({ f: schema }, args, { $defs: { self: { $ref: "#/$defs/self" } } });

    expect(prepared.ok && prepared.args).toBe(args);
  });

  it("reach nested fields and items, and copy only what changes", () => {
    const kept = { z: 1 };
    const args = { list: ["1", "x", { n: "2" }], kept };
    const properties = {
      list: { type: "array", items: { type: ["integer", "object"], properties: { n: { type: "number" } } } },
      kept: { type: "object", properties: { z: { type: "number" } } },
    };

    const prepared = coerced(properties, args);

    expect(prepared).toEqual({
      ok: true,
      args: { list: [1, "x", { n: 2 }], kept: { z: 1 } },
      warnings: [
        "argument list[0]: text was turned into a number, as inputSchema asks",
        "argument list[2].n: text was turned into a number, as inputSchema asks",
      ],
    });
    expect(prepared.ok && prepared.args["kept"]).toBe(kept);
    expect(args.list[0]).toBe("1");
  });

  it("are passed on untouched with coerce off", () => {
    const args = { n: "5" };
    const schema = { type: "object", properties: { n: { type: "integer" } } };

    const prepared = prepareArguments(args, entry(schema), { coerce: false });

    expect(prepared.ok && prepared.args).toBe(args);
  });

  it("find nothing behind the names of Object.prototype", () => {
    const args = JSON.parse('{"__proto__":"5","constructor":"5","toString":"5","n":"5"}') as object;

    const prepared = coerced({ n: { type: "integer" } }, args);

    expect(prepared.ok && JSON.stringify(prepared.args)).toBe(
      '{"__proto__":"5","constructor":"5","toString":"5","n":5}',
    );
    expect(Object.getPrototypeOf(prepared.ok && prepared.args)).toBe(Object.prototype);
  });

  it("end on a schema that refers to itself", () => {
    const schema = { $defs: { t: { type: "object", properties: { t: { $ref: "#/$defs/t" } } } } };
    let args: object = { t: {} };
    for (let i = 0; i < 150; i++) args = { t: args };

    const prepared = coerced({ t: { $ref: "#/$defs/t" } }, args, schema);

    expect(prepared.ok && prepared.args).toBe(args);
  });

  it("never throw and never touch the caller's object, whatever the schema", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (args, schema) => {
        const before = JSON.stringify(args);
        const properties = Object.fromEntries(Object.keys(args).map((key) => [key, schema]));

        expect(coerced(properties, args).ok).toBe(true);
        expect(JSON.stringify(args)).toBe(before);
      }),
    );
  });
});
