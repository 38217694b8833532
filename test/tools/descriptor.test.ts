import { describe as suite, expect, it } from "vitest";
import { describe } from "../../src/tools/descriptor.js";
import type { ToolEntry } from "../../src/tools/entries.js";
import type { RawTool } from "../../src/protocol/mcp.js";

function entry(tool: Partial<RawTool>, cached = false): ToolEntry {
  const whole = { name: "read", inputSchema: { type: "object" }, ...tool };
  return { name: "mcp_files_read", server: "files", tool: whole, excluded: false, cached };
}

suite("a tool as an agent sees it", () => {
  it("has the schemas as sent, and says which server it is of", () => {
    const tool = {
      title: "Read",
      description: "Reads a file.",
      inputSchema: { type: "object", properties: {} },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    };

    const descriptor = describe(entry(tool), "My Files", "ask", "pinned");

    expect(descriptor).toEqual({
      name: "mcp_files_read",
      server: "files",
      tool: "read",
      title: "Read",
      description: "[MCP My Files] Reads a file.",
      inputSchema: { type: "object", properties: {} },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
      permission: "ask",
      pin: "pinned",
    });
    expect(descriptor.inputSchema).toBe(tool.inputSchema);
  });

  it.each([
    [{ title: "T", annotations: { title: "A" } }, "T", "[MCP s] T"],
    [{ annotations: { title: "A" } }, "A", "[MCP s] read"],
    [{}, "read", "[MCP s] read"],
  ])("takes its title from what there is: %j", (tool, title, description) => {
    expect(describe(entry(tool), "s", "allow", "new")).toMatchObject({ title, description });
  });

  it("shows hidden text as escapes", () => {
    const descriptor = describe(
      entry({ title: "a\u202Eb", description: "x\u{E0041}" }),
      "s\u001B",
      "allow",
      "new",
    );

    expect(descriptor).toMatchObject({ title: "a\\u{202e}b", description: "[MCP s\\u{1b}] x\\u{e0041}" });
  });

  it("cuts an endless description with a mark", () => {
    const { description } = describe(entry({ description: "d".repeat(16_385) }), "s", "allow", "new");

    expect(description).toBe(`[MCP s] ${"d".repeat(16_384)} [cut: 16385 characters]`);
  });

  it("says when it comes from an earlier session", () => {
    expect(describe(entry({}, true), "s", "allow", "new").cached).toBe(true);
    expect(describe(entry({}), "s", "allow", "new")).not.toHaveProperty("cached");
  });
});
