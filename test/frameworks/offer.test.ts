import { describe, expect, it } from "vitest";
import { budgetOf, hostOf, select } from "../../src/frameworks/index.js";
import { descriptor, fakeFleet } from "./fakeFleet.js";

const tools = [
  descriptor({ name: "mcp_web_fetch", server: "web", tool: "fetch", annotations: { readOnlyHint: true } }),
  descriptor({ name: "mcp_files_write", tool: "write", permission: "ask" }),
  descriptor({ name: "mcp_files_read", tool: "read", annotations: { readOnlyHint: true } }),
  descriptor({ name: "mcp_files_wipe", tool: "wipe", permission: "deny" }),
];
const names = (list: readonly { name: string }[]) => list.map((each) => each.name);

describe("a selection of tools", () => {
  it.each([
    [{}, ["mcp_files_read", "mcp_files_write", "mcp_web_fetch"]],
    [{ servers: ["web"] }, ["mcp_web_fetch"]],
    [{ tools: ["files/*"] }, ["mcp_files_read", "mcp_files_write"]],
    [{ except: ["*write"] }, ["mcp_files_read", "mcp_web_fetch"]],
    [{ readOnly: true }, ["mcp_files_read", "mcp_web_fetch"]],
    [{ allowedOnly: true }, ["mcp_files_read", "mcp_web_fetch"]],
  ])("%j", (selection, expected) => {
    expect(names(select(tools, selection))).toEqual(expected);
    expect(names(select(tools.toReversed(), selection))).toEqual(expected);
  });

  it("fits into a number of characters, wanted ones first", () => {
    const fleet = fakeFleet(tools);
    const one = hostOf(fleet, "openai", { characters: 220, tools: ["*fetch", "*"] }).offer.list();

    expect(names(one)).toEqual(["mcp_web_fetch"]);
  });

  it("is the same list as long as the fleet's is", () => {
    const fleet = fakeFleet(tools);
    const { offer } = hostOf(fleet, "openai", {});
    const first = offer.list();

    expect(offer.list()).toBe(first);
    fleet.set(tools.slice(0, 1));
    expect(names(offer.list())).toEqual(["mcp_web_fetch"]);
  });

  it("gives names that a provider does not take one that it takes, and finds the tool by it", async () => {
    const fleet = fakeFleet([descriptor({ name: `über.${"x".repeat(80)}` })]);
    const { offer, run } = hostOf(fleet, "openai", {});
    const [tool] = offer.list();

    expect(tool!.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    await run([{ name: tool!.name, arguments: {} }]);
    expect(fleet.calls[0]!.name).toBe(`über.${"x".repeat(80)}`);
  });
});

describe("the search tools", () => {
  it("stand for all others, and find, describe and call them", async () => {
    const fleet = fakeFleet(tools);
    const { offer, run, asks } = hostOf(fleet, "openai", { search: true });
    expect(names(offer.list())).toEqual(["call_tool", "describe_tools", "search_tools"]);

    const [found, described, called, inner] = await run([
      { name: "search_tools", arguments: { query: "reading a file" } },
      { name: "describe_tools", arguments: { names: ["mcp_files_read", "none"] } },
      { name: "call_tool", arguments: { name: "mcp_files_read", arguments: { path: "a" } } },
      { name: "call_tool", arguments: { name: "search_tools", arguments: {} } },
    ]);

    expect(found!.text.split("\n")[0]).toContain("mcp_files_read");
    expect(described!.text).toContain('"path"');
    expect(described!.text).toContain("no such tool");
    expect(fleet.calls).toMatchObject([{ name: "mcp_files_read", args: { path: "a" } }]);
    expect(called).toMatchObject({ ok: true });
    expect(inner).toMatchObject({ ok: false });
    expect(asks("call_tool", { name: "mcp_files_write", arguments: {} })).toBe(true);
  });

  it("come by themselves when there are many tools", () => {
    const many = Array.from({ length: 41 }, (_, at) => descriptor({ name: `t${at}` }));

    expect(hostOf(fakeFleet(many), "openai", { search: "auto" }).offer.searching()).toBe(true);
    expect(hostOf(fakeFleet(tools), "openai", { search: "auto" }).offer.searching()).toBe(false);
  });
});

describe("the budget", () => {
  it("says what each server's definitions cost, dearest first", () => {
    const report = budgetOf(tools.slice(0, 3));

    expect(report.servers.map((each) => [each.server, each.tools])).toEqual([
      ["files", 2],
      ["web", 1],
    ]);
    expect(report.characters).toBe(report.servers.reduce((sum, each) => sum + each.characters, 0));
    expect(report.tokens).toBeGreaterThan(0);
  });
});
