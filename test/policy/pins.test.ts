import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/policy/canonicalJson.js";
import { judgePin, pinOf } from "../../src/policy/pins.js";
import { findPin, parsePins, serializePins, withPin } from "../../src/policy/pinStore.js";
import type { RawTool } from "../../src/protocol/mcp.js";

const tool: RawTool = {
  name: "add",
  description: "Adds.",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  annotations: { readOnlyHint: true },
};

const good = { hash: "a".repeat(64), fields: { name: '"a"' } };

describe("canonical JSON", () => {
  it("sorts keys at every depth and keeps the order of lists", () => {
    expect(canonicalJson({ b: [2, { d: 1, c: undefined }], a: null, "": "ä" })).toBe(
      '{"":"ä","a":null,"b":[2,{"d":1}]}',
    );
  });

  it("is the same for the same content in another order", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed());

        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
      }),
    );
  });
});

describe("a pin", () => {
  it("is the SHA-256 of name, title, description, schemas and annotations", () => {
    const text =
      '{"annotations":"{\\"readOnlyHint\\":true}","description":"\\"Adds.\\"",' +
      '"inputSchema":"{\\"properties\\":{\\"a\\":{\\"type\\":\\"number\\"},\\"b\\":{\\"type\\":\\"number\\"}},' +
      '\\"type\\":\\"object\\"}","name":"\\"add\\""}';

    expect(pinOf(tool).hash).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("is new for a tool never seen, pinned for the same definition", () => {
    expect(judgePin(undefined, tool)).toEqual({ kind: "new" });
    expect(judgePin(pinOf(tool), tool)).toEqual({ kind: "pinned" });
  });

  it("does not change with the order of keys, nor with fields that are not pinned", () => {
    const same: RawTool = {
      annotations: { readOnlyHint: true },
      inputSchema: { properties: { b: { type: "number" }, a: { type: "number" } }, type: "object" },
      description: "Adds.",
      name: "add",
      icons: [],
      _meta: { x: 1 },
    };

    expect(judgePin(pinOf(tool), same)).toEqual({ kind: "pinned" });
  });

  it.each<[Partial<RawTool>, string, string, string]>([
    [{ description: "Adds. " }, "description", '"Adds."', '"Adds. "'],
    [{ title: "Add" }, "title", "", '"Add"'],
    [
      { inputSchema: { type: "object" } },
      "inputSchema",
      canonicalJson(tool.inputSchema),
      '{"type":"object"}',
    ],
    [{ outputSchema: {} }, "outputSchema", "", "{}"],
    [
      { annotations: { readOnlyHint: false } },
      "annotations",
      '{"readOnlyHint":true}',
      '{"readOnlyHint":false}',
    ],
    [{ name: "add2" }, "name", '"add"', '"add2"'],
  ])("is changed, with the difference, for %j", (change, field, before, after) => {
    expect(judgePin(pinOf(tool), { ...tool, ...change })).toEqual({
      kind: "changed",
      difference: [{ field, before, after }],
    });
  });

  it("is changed, never new, when a broken store may have held it", () => {
    const verdict = judgePin("lost", { name: "x", inputSchema: { type: "object" } });

    expect(verdict).toEqual({
      kind: "changed",
      difference: [
        { field: "name", before: "", after: '"x"' },
        { field: "inputSchema", before: "", after: '{"type":"object"}' },
      ],
    });
  });
});

describe("the store of pins", () => {
  it("is empty before its first use", () => {
    expect(findPin(parsePins(undefined), "files", "add")).toBeUndefined();
  });

  it("keeps what was pinned, over its text", () => {
    const store = parsePins(serializePins(withPin(parsePins(undefined), "files", tool)));

    expect(findPin(store, "files", "add")).toEqual(pinOf(tool));
    expect(findPin(store, "files", "other")).toBeUndefined();
    expect(findPin(store, "other", "add")).toBeUndefined();
  });

  it("has the same text whatever the order things were pinned in", () => {
    const other = { ...tool, name: "Z" };
    const one = withPin(withPin(withPin(parsePins(undefined), "b", tool), "a", tool), "a", other);
    const two = withPin(withPin(withPin(parsePins(undefined), "a", other), "a", tool), "b", tool);

    expect(serializePins(one)).toBe(serializePins(two));
    expect(Object.keys((JSON.parse(serializePins(one)) as { servers: object }).servers)).toEqual(["a", "b"]);
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"version":2,"complete":true,"servers":{}}',
    '{"version":1,"servers":{}}',
    '{"version":1,"complete":true}',
    '{"version":1,"complete":true,"servers":{"a":[]}}',
    '{"version":1,"complete":true,"servers":{"a":{"x":{"hash":"00","fields":{}}}}}',
    `{"version":1,"complete":true,"servers":{"a":{"x":{"hash":"${"0".repeat(64)}","fields":{"name":1}}}}}`,
  ])("is lost as a whole when it is not readable: %s", (text) => {
    expect(findPin(parsePins(text), "files", "add")).toBe("lost");
  });

  it.each([
    ["completeness of another kind", { complete: "yes", servers: {} }],
    ["no completeness", { servers: {} }],
    ["another version", { version: 2, complete: true, servers: {} }],
    ["no servers", { complete: true }],
    ["a list of servers", { complete: true, servers: [] }],
    ["pins that are no object", { complete: true, servers: { s: [] } }],
    ["a good pin and one that is null", { complete: true, servers: { s: { a: good, b: null } } }],
    ["a bad pin before a good one", { complete: true, servers: { s: { a: {}, b: good } } }],
    [
      "a hash that is a list of one",
      { complete: true, servers: { s: { a: { ...good, hash: [good.hash] } } } },
    ],
    [
      "a hash that is too long",
      { complete: true, servers: { s: { a: { ...good, hash: `${good.hash}a` } } } },
    ],
    [
      "a hash with something before it",
      { complete: true, servers: { s: { a: { ...good, hash: `x${good.hash}` } } } },
    ],
    [
      "a hash that is too short",
      { complete: true, servers: { s: { a: { ...good, hash: good.hash.slice(1) } } } },
    ],
    [
      "a hash in large letters",
      { complete: true, servers: { s: { a: { ...good, hash: good.hash.toUpperCase() } } } },
    ],
    ["fields that are a list", { complete: true, servers: { s: { a: { ...good, fields: [] } } } }],
    [
      "a field that is not pinned",
      { complete: true, servers: { s: { a: { ...good, fields: { name: "a", icons: "b" } } } } },
    ],
    [
      "a field that is no text",
      { complete: true, servers: { s: { a: { ...good, fields: { name: "a", title: 1 } } } } },
    ],
  ])("is lost as a whole with %s", (_, file) => {
    expect(parsePins(JSON.stringify({ version: 1, ...file }))).toEqual({ complete: false, servers: {} });
  });

  it("that is whole is read as it is, complete or not", () => {
    const servers = { s: { a: good } };

    expect(parsePins(JSON.stringify({ version: 1, complete: true, servers }))).toEqual({
      complete: true,
      servers,
    });
    expect(parsePins(JSON.stringify({ version: 1, complete: false, servers }))).toEqual({
      complete: false,
      servers,
    });
    expect(findPin({ complete: false, servers }, "s", "a")).toEqual(good);
  });

  it("goes on to distrust what it does not hold after it was lost, until a person approves it", () => {
    const store = parsePins(serializePins(withPin(parsePins("{"), "files", tool)));

    expect(findPin(store, "files", "add")).toEqual(pinOf(tool));
    expect(findPin(store, "files", "other")).toBe("lost");
  });

  it("holds servers and tools with any name", () => {
    const odd = { ...tool, name: "__proto__" };
    const store = parsePins(serializePins(withPin(parsePins(undefined), "__proto__", odd)));

    expect(findPin(store, "__proto__", "__proto__")).toEqual(pinOf(odd));
    expect(findPin(store, "constructor", "toString")).toBeUndefined();
  });
});
