import { describe, expect, it } from "vitest";
import type { ServerConfig, Supervisor, ToolResult } from "../../src/index.js";
import { running, scripted } from "../support.js";

const given = (set: string, extra: Partial<ServerConfig> = {}): Promise<Supervisor> =>
  running([scripted("g", "givenResults.mjs", [`--set=${set}`], extra)]);

describe("arguments", () => {
  it("C066 sends an object in any case, and nothing else", async () => {
    const supervisor = await running([scripted("s", "strictArguments.mjs")]);
    const echo = (args: unknown): Promise<ToolResult> => supervisor.callTool("mcp_s_echo", args);

    expect(await supervisor.callTool("mcp_s_echo")).toMatchObject({ ok: true, text: "{}" });
    expect(await echo(null)).toMatchObject({ ok: true, text: "{}" });
    expect(await echo({})).toMatchObject({ ok: true, text: "{}" });
    expect(await echo({ a: null, b: undefined })).toMatchObject({
      ok: true,
      text: '{"a":null}',
      warnings: [],
    });
    expect(await echo({ ä: "\u2028\u0000\ud83d\ude00", n: 1e21, deep: { a: [[{}]] } })).toMatchObject({
      ok: true,
      text: JSON.stringify({ ä: "\u2028\u0000\ud83d\ude00", n: 1e21, deep: { a: [[{}]] } }),
    });
    for (const wrong of [[1], "text", 3, true, Symbol("s"), () => 1]) {
      expect(await echo(wrong)).toMatchObject({
        ok: false,
        failure: { kind: "invalid-arguments" },
        call: { sent: "no" },
      });
    }
  });

  it.each([
    ["a cycle", cyclic()],
    ["a BigInt", { n: 1n }],
    [
      "a getter that throws",
      {
        get a() {
          throw new Error("no");
        },
      },
    ],
    [
      "a toJSON that throws",
      {
        toJSON() {
          throw new Error("no");
        },
      },
    ],
    ["a toJSON that gives no object", { toJSON: () => "text" }],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error("no");
          },
        },
      ),
    ],
    ["nesting without end", nested(100_000)],
  ])("C066 refuses arguments with %s before anything is sent", async (_what, args) => {
    const supervisor = await running([scripted("s", "strictArguments.mjs")]);
    for (const tool of ["echo", "typed"]) {
      const result = await supervisor.callTool(`mcp_s_${tool}`, args);
      expect(result).toMatchObject({
        ok: false,
        failure: { kind: "invalid-arguments" },
        call: { sent: "no" },
      });
    }
    expect(await supervisor.callTool("mcp_s_echo", { a: 1 })).toMatchObject({ ok: true, text: '{"a":1}' });
  });

  it("C066 turns texts into what the schema wants, notes it, and changes nothing else", async () => {
    const supervisor = await running([
      scripted("s", "strictArguments.mjs"),
      scripted("off", "strictArguments.mjs", [], { coerce: false }),
    ]);
    const args = { n: "5", flag: "true", list: "[1]", any: "7", extra: null };

    const coerced = await supervisor.callTool("mcp_s_typed", args);

    expect(JSON.parse(coerced.text)).toEqual({ n: 5, flag: true, list: [1], any: "7", extra: null });
    expect(coerced.warnings).toHaveLength(3);
    expect(JSON.parse((await supervisor.callTool("mcp_off_typed", args)).text)).toEqual(args);
  });
});

describe("results", () => {
  it("C068 delivers a result that does not fit its schema, and marks it", async () => {
    const supervisor = await given("schema");
    const call = (name: string): Promise<ToolResult> => supervisor.callTool(`mcp_g_${name}`);

    expect(await call("ok")).toMatchObject({ ok: true, warnings: [], structured: { n: 1 } });
    for (const [name, why] of [
      ["missing", "there is none"],
      ["mismatch", "/n"],
      ["extra", "/m"],
      ["array", "/"],
      ["null", "/"],
    ] as const) {
      const result = await call(name);
      expect(result).toMatchObject({ ok: true, text: "the number is 1" });
      expect(result.warnings).toHaveLength(1);
      expect(result.warnings[0]).toContain(why);
    }
    expect(await call("failed")).toMatchObject({ ok: false, warnings: [], text: "the number is 1" });
  });

  it("C068 fails it in strict mode, with the text still there", async () => {
    const supervisor = await given("schema", { outputSchema: "fail" });
    expect(await supervisor.callTool("mcp_g_ok")).toMatchObject({ ok: true });
    for (const name of ["missing", "mismatch", "extra", "array"]) {
      expect(await supervisor.callTool(`mcp_g_${name}`)).toMatchObject({
        ok: false,
        text: "the number is 1",
        failure: { kind: "invalid-result" },
      });
    }
  });

  it("C069 keeps all kinds of content, the known and the unknown", async () => {
    const supervisor = await given("kinds");
    const call = (name: string): Promise<ToolResult> => supervisor.callTool(`mcp_g_${name}`);

    const known = await call("known");
    expect(known).toMatchObject({ ok: true, warnings: [] });
    expect(known.content.map((block) => block.type)).toEqual([
      "text",
      "image",
      "audio",
      "resource",
      "resource_link",
    ]);
    expect(known.text.split("\n")).toEqual([
      "hi",
      "[image: image/png, 8 bytes, not shown]",
      "[audio: audio/wav, 4 bytes, not shown]",
      expect.stringContaining("res"),
      expect.stringContaining("demo://link"),
    ]);
    const mixed = await call("mixed");
    expect(mixed.content.map((block) => block.type)).toEqual(["text", "chart", "text"]);
    expect(mixed.text.split("\n")).toEqual(["first", expect.stringContaining("chart"), "last"]);
    expect((await call("json")).text).toContain("json");
    expect((await call("blob")).text).toBe("[blob block, 58 characters of JSON, not shown]");
    expect(await call("nocontent")).toMatchObject({
      ok: true,
      content: [],
      text: '{"a":1}',
      structured: { a: 1 },
    });
    expect(await call("toolresult")).toMatchObject({ ok: true, content: [], structured: { a: 1 } });
    expect(await call("nullcontent")).toMatchObject({ ok: true, content: [] });
    expect(await call("stringcontent")).toMatchObject({ ok: true, text: "plain" });
    expect(await call("empty")).toMatchObject({ ok: true, content: [] });
    expect((await call("oddblocks")).content).toHaveLength(6);
    expect(await call("halfblocks")).toMatchObject({ ok: true });
  });

  it("C069 settles calls at once whose result is none", async () => {
    const supervisor = await given("shapes");
    for (const name of ["none", "text", "number", "list", "nocontent"]) {
      const result = await supervisor.callTool(`mcp_g_${name}`, {}, { timeout: "20s" });
      expect(result).toMatchObject({ ok: false, failure: { kind: "invalid-result" }, call: { sent: "yes" } });
    }
    expect(await supervisor.callTool("mcp_g_error")).toMatchObject({
      ok: false,
      failure: { kind: "tool-error" },
    });
  });

  it("C071 cuts a long text at a character, says so, and keeps the whole", async () => {
    const supervisor = await given("long");

    for (const name of ["log", "failed"]) {
      const result = await supervisor.callTool(`mcp_g_${name}`);
      expect(result.text.length).toBeLessThanOrEqual(12_000);
      expect(result.text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
      expect(result.text).toMatch(/cut|shortened|characters/);
      expect(String(result.content[0]?.["text"]).endsWith("\nEND")).toBe(true);
    }
    const structured = await supervisor.callTool("mcp_g_structured");
    expect(structured.text.length).toBeLessThanOrEqual(12_000);
    expect(structured.structured).toHaveProperty("rows.length", 9000);
  });

  it("C071 keeps all of it when the limit allows", async () => {
    const supervisor = await given("long", { limits: { resultChars: 10_000_000 } });
    const result = await supervisor.callTool("mcp_g_log");
    expect(result.text.endsWith("\nEND")).toBe(true);
    expect(result.warnings).toEqual([]);
  });
});

function cyclic(): object {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}

function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}
