import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chaos } from "../../src/cli/commands/chaos.js";
import { createSupervisor } from "../../src/index.js";
import { servers, temporaryFolder } from "../support.js";
import { fakeContext } from "./support/fakeContext.js";
import { fakeSupervisor } from "./support/fakeSupervisor.js";

const readOnly = ["--tools=echo,pid", '--annotations={"readOnlyHint":true}'];

function config(home: string, marks: Readonly<Record<string, boolean>>): string {
  const entries = Object.entries(marks).map(([id, marked]) => [
    id,
    {
      command: process.execPath,
      args: [join(servers, "scripted.mjs"), ...readOnly],
      restart: "eager",
      chaos: marked,
    },
  ]);
  const file = join(home, "servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }), { mode: 0o600 });
  return file;
}

function realContext() {
  const fake = fakeContext(fakeSupervisor({}).supervisor);
  const context = {
    ...fake.context,
    open: async (options: Parameters<typeof createSupervisor>[0]) =>
      createSupervisor({ ...options, handleSignals: false }),
  };
  return { ...fake, context };
}

describe("mcpvisor chaos", () => {
  it("makes only marked servers suffer, and reports that every promise was kept", async () => {
    const home = temporaryFolder();
    const file = config(home, { victim: true, bystander: false });
    const { context, stdout } = realContext();

    const code = await chaos(context, { config: [file], home, seed: "5", for: "4s", json: true });

    const lines = stdout.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const report = lines.at(-1)!;
    expect(report).toMatchObject({ type: "mcpvisor.chaos", ok: true, seed: 5, violations: [] });
    const [victim, ...others] = report["servers"] as { id: string; state: string; faults: object }[];
    expect(others).toEqual([]);
    expect(victim).toMatchObject({ id: "victim", state: "ready" });
    expect(Object.keys(victim!.faults)).not.toEqual([]);
    expect(
      lines.filter((each) => each["type"] === "mcp.disconnected" && each["id"] === "bystander"),
    ).toHaveLength(1);
    expect(code).toBe(0);
  }, 180_000);

  it("refuses a configuration in which no server is marked", async () => {
    const home = temporaryFolder();
    const { context } = realContext();

    await expect(chaos(context, { config: [config(home, { calm: false })], home })).rejects.toThrow(
      '"chaos": true',
    );
  });

  it("runs seeds of the simulation, and says what it did", async () => {
    const { context, stdout } = realContext();

    expect(await chaos(context, { simulate: "3", seed: "11" })).toBe(0);

    expect(stdout.text).toMatch(
      /^3 seeds from 11: \d+ calls, \d+ facts, \d+ kinds? of faults, \d+ simulated hours in \d+ s; 0 broken\n$/,
    );
  });
});
