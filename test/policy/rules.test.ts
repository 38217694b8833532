import { describe, expect, it } from "vitest";
import { permission } from "../../src/policy/permission.js";
import { createCatalog } from "../../src/tools/catalog.js";

/** Servers whose ids and tools would be taken for one another by rules over joined names. */
const fleet: Record<string, string[]> = {
  trusted: ["read", "evil__x"],
  trusted__evil: ["x", "read"],
  "trusted.evil": ["read"],
  Trusted: ["read"],
  files: ["delete", "delete_all", "Delete"],
};
const autoApprove: Record<string, string[]> = { trusted: ["*"] };
const exclude: Record<string, string[]> = { files: ["delete"] };

function decide(server: string, tool: string): string {
  const catalog = createCatalog({ naming: "scoped" });
  catalog.configure(Object.keys(fleet).map((id) => ({ id, tools: { exclude: exclude[id] ?? [] } })));
  for (const [id, names] of Object.entries(fleet)) {
    catalog.setTools(
      id,
      names.map((name) => ({ name, inputSchema: { type: "object" } })),
    );
  }
  const offered = catalog.list().some((entry) => entry.server === server && entry.tool.name === tool);
  return permission({
    mode: "ask",
    trusted: true,
    dialect: "settings",
    tool,
    annotations: undefined,
    autoApprove: autoApprove[server] ?? [],
    excluded: !offered,
  }).decision;
}

describe("rules", () => {
  it.each([
    ["trusted", "read", "allow"],
    ["trusted", "evil__x", "allow"],
    ["trusted__evil", "x", "ask"],
    ["trusted__evil", "read", "ask"],
    ["trusted.evil", "read", "ask"],
    ["Trusted", "read", "ask"],
    ["files", "delete", "hidden"],
    ["files", "delete_all", "ask"],
    ["files", "Delete", "ask"],
  ])("match the exact server and the exact raw tool: %s / %s is %s", (server, tool, decision) => {
    expect(decide(server, tool)).toBe(decision);
  });

  it("that deny win over those that allow", () => {
    const both = { autoApprove: ["delete"], excluded: true };

    expect(
      permission({
        mode: "allow-trusted",
        trusted: true,
        dialect: "settings",
        tool: "delete",
        annotations: {},
        ...both,
      }).decision,
    ).toBe("hidden");
  });
});
