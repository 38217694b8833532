import { describe, expect, it } from "vitest";
import { nextFact, running, scripted } from "../support.js";

describe("the message of a server that fails", () => {
  it.each([
    ["neverInitializes.mjs", [], "before it answered initialize"],
    ["says.mjs", ["--dies=listing"], "while it listed its tools"],
  ] as const)("names the phase in which it died: %s %j", async (file, args, phase) => {
    const server = scripted("one", file, args, { restart: "never", connectTimeout: "3s" });
    const supervisor = await running([server]);
    const { lastError, cause } = supervisor.server("one")!.status();
    const said = `${lastError?.message} ${cause.message}`;
    expect(said).toMatch(new RegExp(`${phase}|was not ready within`));
  });

  it("names it for a life that was in service", async () => {
    const supervisor = await running([scripted("one", "says.mjs", [], { restart: "never" })]);
    const told = nextFact(supervisor, "mcp.error");
    await supervisor.callTool("mcp_one_die");
    expect((await told).error.message).toContain(
      'while it was in service, server "one" ended with exit code 7',
    );
  });

  it("tells of tools that are listed but not declared, and asks nothing of one that has something else", async () => {
    const supervisor = await running([
      scripted("silent", "says.mjs", ["--capabilities={}"]),
      scripted("other", "says.mjs", ['--capabilities={"prompts":{}}']),
    ]);
    expect(supervisor.tools()).toEqual([]);
    expect(supervisor.server("silent")!.status().warnings.join()).toContain(
      "lists 2 tools when it is asked, but says in the handshake that it has none",
    );
    expect(supervisor.server("other")!.status().warnings).toEqual([]);
  });
});
