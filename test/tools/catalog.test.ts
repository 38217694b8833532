import { describe, expect, it } from "vitest";
import { createCatalog } from "../../src/tools/catalog.js";
import type { RawTool } from "../../src/protocol/mcp.js";

function tool(name: string, more: Partial<RawTool> = {}): RawTool {
  return { name, description: `tool ${name}`, inputSchema: { type: "object" }, ...more };
}

function catalogOf(...ids: string[]) {
  const catalog = createCatalog({ naming: "flat" });
  catalog.configure(ids.map((id) => ({ id })));
  return catalog;
}

describe("the catalog", () => {
  it("finds the server and the raw tool behind a public name", () => {
    const catalog = catalogOf("files");

    const change = catalog.setTools("files", [tool("Read File")]);

    expect(change).toEqual({ added: ["mcp_files_read_file"], removed: [], changed: [] });
    expect(catalog.find("mcp_files_read_file")).toMatchObject({
      server: "files",
      tool: { name: "Read File" },
    });
    expect(catalog.find("mcp_files_other")).toBeUndefined();
    expect(catalog.find("__proto__")).toBeUndefined();
  });

  it("lists by server id, then raw name, in whatever order they came", () => {
    const catalog = catalogOf("b", "a");
    catalog.setTools("b", [tool("z"), tool("B"), tool("a")]);
    catalog.setTools("a", [tool("x")]);

    expect(catalog.list().map((entry) => entry.name)).toEqual(["mcp_a_x", "mcp_b_b", "mcp_b_a", "mcp_b_z"]);
    expect(catalog.list()).toBe(catalog.list());
  });

  it("keeps its list when nothing has changed, and not when a rule or a neighbour has", () => {
    const catalog = catalogOf("s");
    const tools = [tool("b"), tool("a_x")];
    catalog.setTools("s", tools);
    const before = catalog.list();

    expect(catalog.setTools("s", tools)).toEqual({ added: [], removed: [], changed: [] });
    expect(catalog.setTools("s", [tool("a_x"), tool("b")])).toEqual({ added: [], removed: [], changed: [] });
    expect(catalog.list()).toBe(before);

    catalog.configure([{ id: "s", tools: { exclude: ["b"] } }]);
    expect(catalog.setTools("s", tools)).toEqual({ added: [], removed: [], changed: [] });
    expect(catalog.list().map((entry) => entry.name)).toEqual(["mcp_s_a_x"]);

    catalog.configure([{ id: "s" }, { id: "s_a" }]);
    catalog.setTools("s", tools);
    expect(catalog.list().map((entry) => entry.name)).toEqual(["mcp_s_2_a_x", "mcp_s_b"]);
  });

  it("recognises definitions that it has, and nothing else", () => {
    const catalog = catalogOf("s", "other");
    const known = tool("a", { inputSchema: { type: "object", title: "t" } });
    catalog.setTools("s", [known]);
    const recognise = catalog.recogniser("s");
    const changed = tool("a", { description: "another" });
    const more = { ...tool("a", { inputSchema: { type: "object", title: "t" } }), _meta: {} };

    expect(recognise({ ...known, inputSchema: { title: "t", type: "object" } })).toBe(known);
    expect(recognise(changed)).toBe(changed);
    expect(recognise(more)).toBe(more);
    for (const odd of [null, undefined, 5, "a", [], {}]) expect(recognise(odd)).toBe(odd);
    expect(catalog.recogniser("other")(changed)).toBe(changed);
    expect(catalog.recogniser("nobody")(changed)).toBe(changed);
  });

  it("takes another order of tools and of keys for no change, and keeps what was compiled (row 40)", () => {
    const catalog = catalogOf("s");
    catalog.setTools("s", [tool("a", { inputSchema: { type: "object", title: "t" } }), tool("b")]);
    const before = catalog.find("mcp_s_a");

    const change = catalog.setTools("s", [
      tool("b"),
      { inputSchema: { title: "t", type: "object" }, description: "tool a", name: "a" },
    ]);

    expect(change).toEqual({ added: [], removed: [], changed: [] });
    expect(catalog.find("mcp_s_a")).toBe(before);
  });

  it("tells what came, went and changed", () => {
    const catalog = catalogOf("s");
    catalog.setTools("s", [tool("a"), tool("b")]);

    const change = catalog.setTools("s", [tool("b", { description: "new" }), tool("c")]);

    expect(change).toEqual({ added: ["mcp_s_c"], removed: ["mcp_s_a"], changed: ["mcp_s_b"] });
    expect(catalog.find("mcp_s_a")).toBeUndefined();
    expect(catalog.find("mcp_s_b")?.tool.description).toBe("new");
  });

  it("keeps the first of two tools with the same name", () => {
    const catalog = catalogOf("s");
    catalog.setTools("s", [tool("a"), tool("a", { description: "double" })]);

    expect(catalog.list().map((entry) => entry.tool.description)).toEqual(["tool a"]);
  });

  it("withholds what the rules exclude or do not include, and does not move the names of the others", () => {
    const catalog = createCatalog({ naming: "flat" });
    catalog.configure([{ id: "s", tools: { include: ["read*", "write"], exclude: ["*_all"] } }]);
    catalog.setTools("s", [tool("read"), tool("read_all"), tool("Write"), tool("write"), tool("drop")]);

    expect(catalog.list().map((entry) => entry.name)).toEqual(["mcp_s_read", "mcp_s_write"]);
    expect(catalog.find("mcp_s_drop")).toBeUndefined();
    expect(catalog.excluded("mcp_s_drop")?.tool.name).toBe("drop");
    expect(catalog.excluded("mcp_s_write_2")?.tool.name).toBe("Write");
    expect(catalog.count("s")).toBe(2);
  });

  it("applies new rules at once and tells what they change", () => {
    const catalog = catalogOf("s");
    catalog.setTools("s", [tool("a"), tool("b")]);

    const changes = catalog.configure([{ id: "s", tools: { exclude: ["a"] } }]);

    expect([...changes]).toEqual([["s", { added: [], removed: ["mcp_s_a"], changed: [] }]]);
  });

  it("drops the tools of a server that is removed or no longer configured", () => {
    const catalog = catalogOf("a", "b", "c");
    for (const id of ["a", "b", "c"]) catalog.setTools(id, [tool("x")]);

    expect(catalog.removeServer("a")).toEqual({ added: [], removed: ["mcp_a_x"], changed: [] });
    expect([...catalog.configure([{ id: "c" }])]).toEqual([
      ["b", { added: [], removed: ["mcp_b_x"], changed: [] }],
    ]);
    expect(catalog.list().map((entry) => entry.name)).toEqual(["mcp_c_x"]);
  });

  it("ignores a list of a server nobody configured", () => {
    const catalog = catalogOf("a");

    expect(catalog.setTools("ghost", [tool("x")])).toEqual({ added: [], removed: [], changed: [] });
    expect(catalog.list()).toEqual([]);
  });

  it("marks the tools of an earlier session until the first list of this one", () => {
    const catalog = catalogOf("a");
    catalog.setTools("a", [tool("x")], { cached: true });
    expect(catalog.find("mcp_a_x")?.cached).toBe(true);

    catalog.setTools("a", [tool("x")]);

    expect(catalog.find("mcp_a_x")?.cached).toBe(false);
  });

  it("knows near names for a slip", () => {
    const catalog = catalogOf("files");
    catalog.setTools("files", [tool("read_file"), tool("read_files"), tool("write_file"), tool("zip")]);

    expect(catalog.near("mcp_files_raed_file")).toEqual([
      "mcp_files_read_file",
      "mcp_files_read_files",
      "mcp_files_write_file",
    ]);
    expect(catalog.near("read_file")).toEqual(["mcp_files_read_file"]);
    expect(catalog.near("something quite different")).toEqual([]);
  });
});
