import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Runs an example as a reader would: with the built package, in a process of its own. */
async function run(name: string, ...flags: string[]): Promise<string[]> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, `examples/${name}`], {
    cwd: root,
    timeout: 50_000,
  });
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

describe("the examples", () => {
  it("embed.mjs starts a fleet, calls a tool and leaves nothing behind", async () => {
    expect((await run("embed.mjs")).join("\n")).toBe(
      "[ 'mcp_greeter_count', 'mcp_greeter_greet' ]\nHello, Ada!\n1 ended, 0 left",
    );
  });

  it("watch-events.mjs shows a second generation after the kill", async () => {
    const lines = await run("watch-events.mjs");

    expect(lines.filter((line) => /-> ready/.test(line)).map((line) => line.slice(0, 2))).toEqual([
      "#1",
      "#2",
    ]);
    expect(lines).toContain("Hello, Grace!");
  });

  it("survive-a-crash.mjs loses one answer and breaks no promise", async () => {
    expect(await run("survive-a-crash.mjs")).toEqual([
      "ordered tea",
      "outcome-unknown",
      "ordered salt",
      "3 orders reached the shop",
      "0 promises broken",
    ]);
  });

  it("cancel-a-call.mjs ends a call in the middle", async () => {
    expect(await run("cancel-a-call.mjs")).toEqual(["cancelled, sent: unknown"]);
  });

  it.each(["ai-sdk", "anthropic", "google", "langgraph", "openai"])(
    "agents/%s.mjs lets a model call a tool and tell what it said",
    async (name) => {
      expect(await run(`agents/${name}.mjs`)).toEqual(["The tool says: Hello, Ada!"]);
    },
  );

  // Mastra is no package of the repository; the gate installs it for the adapter's own tests.
  it.skipIf(!existsSync(resolve(root, "test/frameworks/mastra/node_modules")))(
    "agents/mastra.mjs does so with Mastra's packages from elsewhere",
    async () => {
      expect(await run("agents/mastra.mjs", "--import", "./test/examples/mastraFrom.mjs")).toEqual([
        "The tool says: Hello, Ada!",
      ]);
    },
  );
});
