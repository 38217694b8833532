import { describe, expect, it } from "vitest";
import { running, scripted } from "../support.js";

describe("the list of tools", () => {
  it("is the same array until something in it changes, and what did not change is the same object", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs"), scripted("two", "scripted.mjs")], {
      mode: "ask",
      approve: () => "allow-for-session",
    });
    const before = supervisor.tools();
    const of = (list: typeof before, name: string) => list.find((tool) => tool.name === name)!;

    expect(supervisor.tools()).toBe(before);
    await supervisor.callTool("mcp_one_echo", { text: "hi" });
    const after = supervisor.tools();

    expect(after).not.toBe(before);
    expect(supervisor.tools()).toBe(after);
    expect(of(before, "mcp_one_echo")).toMatchObject({ permission: "ask", pin: "new" });
    expect(of(after, "mcp_one_echo")).toMatchObject({ permission: "allow", pin: "pinned" });
    expect(of(after, "mcp_two_echo")).toBe(of(before, "mcp_two_echo"));
  });

  it("follows a server that leaves and an entry that changes", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs"), scripted("two", "scripted.mjs")], {
      mode: "ask",
    });
    const before = supervisor.tools();

    await supervisor.removeServer("one");
    await supervisor.saveServer(scripted("two", "scripted.mjs", [], { auto_approve: ["echo"] }));
    const after = supervisor.tools();

    expect(before.some((tool) => tool.server === "one")).toBe(true);
    expect(after.some((tool) => tool.server === "one")).toBe(false);
    expect(after.find((tool) => tool.tool === "echo")).toMatchObject({ permission: "allow" });
  });
});
