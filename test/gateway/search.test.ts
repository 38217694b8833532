import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../../src/index.js";
import { indexTools } from "../../src/search/toolIndex.js";
import { nextFact } from "../support.js";
import { answer, modern, rig } from "./rig.js";
import type { HandSession, Json } from "./rig.js";

const reads = { readOnlyHint: true };
const many = {
  id: "office",
  config: { trusted: true },
  tools: [
    { name: "read_invoice", description: "Reads an invoice by its number.", annotations: reads },
    { name: "pay_invoice", description: "Pays an invoice.", annotations: { readOnlyHint: false } },
    ...Array.from({ length: 50 }, (_, at) => ({ name: `job_${at}`, description: `Does the job ${at}.` })),
  ],
};
const weather = { id: "weather", tools: [{ name: "forecast", description: "Weather of tomorrow." }] };

async function use(session: HandSession, name: string, args: Json = {}): Promise<Json> {
  return (await session.ask(7, "tools/call", { name, arguments: args }))["result"] as Json;
}

async function text(session: HandSession, name: string, args: Json = {}): Promise<string> {
  return String((await use(session, name, args))["content"][0].text);
}

async function names(session: HandSession): Promise<string[]> {
  const { tools } = (await session.ask(1, "tools/list"))["result"];
  return tools.map((each: Json) => each["name"] as string);
}

const four = ["search_tools", "describe_tools", "call_tool", "read_tool"];

describe("search mode of the gateway", () => {
  it("offers four tools above forty, and all below, unless the consumer says otherwise", async () => {
    const { rig: gate } = await rig([many, weather]);
    const open = (name: string, config: Json) => gate.session(gate.consumer(name, config));

    expect(await names(await open("auto", {}))).toEqual(four);
    expect(await names(await open("few", { servers: ["weather"] }))).toEqual(["weather__forecast"]);
    expect(await names(await open("all", { expose: "all" }))).toHaveLength(53);
    expect(await names(await open("search", { servers: ["weather"], expose: "search" }))).toEqual(four);
    const untouched = await gate.session(gate.consumer("one"), "/mcp/s/office");
    expect(await names(untouched)).toHaveLength(52);
  });

  it("says in description and instructions what is behind it", async () => {
    const { rig: gate } = await rig([many, weather]);
    const session = await gate.session(gate.consumer("a"));
    const [first] = (await session.ask(1, "tools/list"))["result"].tools;

    expect(first.description).toContain("office (52), weather (1)");
    expect(session.welcome["result"].instructions).toMatch(/^The tools of these servers are found by search/);
  });

  it("finds, describes and calls the real tool, which facts tell of", async () => {
    const { rig: gate, fakes } = await rig([many, weather]);
    const session = await gate.session(gate.consumer("a"));

    expect((await text(session, "search_tools", { query: "weather tomorrow" })).split("\n")[0]).toBe(
      "weather__forecast (weather): Weather of tomorrow.",
    );
    expect(await text(session, "search_tools", { query: "invoice", server: "office", limit: 1 })).toMatch(
      /^office__(?:read|pay)_invoice/,
    );
    expect(await text(session, "search_tools", { query: "zzzz" })).toContain("No tool was found");
    expect(
      JSON.parse(await text(session, "describe_tools", { names: ["weather__forecast", "no__such"] })),
    ).toMatchObject([
      { name: "weather__forecast", inputSchema: { type: "object" } },
      { name: "no__such", problem: expect.stringContaining("no such tool") },
    ]);
    const told = nextFact(gate.supervisor, "mcp.call.started");
    const name = "weather__forecast";
    expect(await text(session, "call_tool", { name, arguments: { text: "rain" } })).toBe("rain");
    expect(await told).toMatchObject({ id: "weather", tool: "forecast", consumer: "a" });
    expect(fakes["weather"]?.received.at(-1)).toMatchObject({ tool: "forecast" });
  });

  it("calls by read_tool only what a trusted server says that it reads", async () => {
    const { rig: gate, fakes } = await rig([
      many,
      { id: "claims", config: { trusted: false }, tools: [{ name: "look", annotations: reads }] },
    ]);
    const session = await gate.session(gate.consumer("a"));
    const read = (name: string) => use(session, "read_tool", { name, arguments: { text: "x" } });

    expect(await read("office__read_invoice")).toEqual({ content: [{ type: "text", text: "x" }] });
    for (const name of ["office__pay_invoice", "claims__look"])
      expect(await read(name)).toMatchObject({ isError: true });
    expect(fakes["office"]?.received.filter((each) => each.method === "tools/call")).toHaveLength(1);
  });

  it("asks the permission of the real tool, in the mode of the consumer", async () => {
    const asked: unknown[] = [];
    const approve = (request: ApprovalRequest) => (asked.push(request), "deny" as const);
    const { rig: gate, fakes } = await rig([many], {}, { approve });
    const session = await gate.session(gate.consumer("a", { mode: "allow-reads" }));
    const run = (name: string) => use(session, "call_tool", { name, arguments: { text: "x" } });

    expect(await run("office__read_invoice")).not.toHaveProperty("isError");
    expect(await run("office__pay_invoice")).toMatchObject({ isError: true });
    expect(asked).toMatchObject([{ server: "office", tool: "pay_invoice", consumer: "a" }]);
    expect(
      fakes["office"]?.received.filter(({ method }) => method === "tools/call").map(({ tool }) => tool),
    ).toEqual(["read_invoice"]);
  });

  it("answers for a hidden tool as for a made-up one", async () => {
    const { rig: gate } = await rig([many, weather]);
    const session = await gate.session(gate.consumer("a", { servers: ["office"] }));

    for (const tool of ["call_tool", "read_tool"]) {
      const [hidden, made] = await Promise.all(
        ["weather__forecast", "weather__nothingg"].map((name) => text(session, tool, { name })),
      );
      expect(hidden?.replace("forecast", "X")).toBe(made?.replace("nothingg", "X"));
    }
    expect(await text(session, "search_tools", { query: "weather tomorrow" })).not.toContain("forecast");
    expect(await text(session, "search_tools", { query: "job", server: "weather" })).toContain("No tool");
    expect(await text(session, "describe_tools", { names: ["weather__forecast"] })).toContain("no such tool");
  });

  it("does the same for a consumer of 2026-07-28", async () => {
    const { rig: gate } = await rig([many]);
    const token = gate.consumer("a");
    const ask = async (name: string, args: Json) =>
      answer(await modern(`${gate.url}/mcp`, token, 1, "tools/call", { name, arguments: args }));

    expect((await ask("search_tools", { query: "invoice" }))["result"]).toMatchObject({
      resultType: "complete",
    });
    expect(
      (await ask("call_tool", { name: "office__job_1", arguments: { text: "x" } }))["result"],
    ).toMatchObject({ resultType: "complete", content: [{ text: "x" }] });
  });

  it("takes arguments of any kind without failing", async () => {
    const { rig: gate } = await rig([many]);
    const session = await gate.session(gate.consumer("a"));

    for (const tool of four)
      for (const args of [{}, { query: 1, name: {}, names: "x" }, { name: null, names: [] }, { query: "" }]) {
        const got = await session.ask(1, "tools/call", { name: tool, arguments: args });
        expect(got["result"] ?? got["error"]).toBeDefined();
      }
    for (const tool of four)
      expect((await session.ask(1, "tools/call", { name: tool, arguments: [] }))["error"].code).toBe(-32_602);
  });

  it("finds one of 5,000 tools in milliseconds", async () => {
    const verbs = ["read", "write", "list", "delete", "merge", "send", "archive", "rename", "copy", "find"];
    const nouns = ["invoice", "mail", "branch", "ticket", "table", "folder", "contact", "page", "job", "key"];
    const tools = Array.from({ length: 5000 }, (_, at) => ({
      name: `${verbs[at % 10]}_${nouns[Math.floor(at / 10) % 10]}_${at}`,
      server: `s${at % 50}`,
      description: `Tool ${at}: ${verbs[at % 10]} one ${nouns[Math.floor(at / 10) % 10]} of the account.`,
      inputSchema: { properties: { path: {}, [`field${at % 300}`]: {} } },
    }));
    const find = await indexTools(tools);
    find("warm up");
    const took = ["merge branch", "send mail folder", "renam tickets", "archive the table of contacts"].map(
      (query) => {
        const start = performance.now();
        expect(find(query).length).toBeGreaterThan(0);
        return performance.now() - start;
      },
    );

    expect(Math.min(...took)).toBeLessThan(50);
  });
});
