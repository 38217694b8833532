import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerConfig, Supervisor } from "../../src/index.js";
import { running, scripted, supervise, temporaryFolder } from "../support.js";

const known = "2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05";

function odd(
  args: readonly string[],
  extra: Partial<ServerConfig> = {},
): { config: ServerConfig; events: () => string[] } {
  const file = join(temporaryFolder(), "events");
  return {
    config: scripted("h", "oddHandshake.mjs", args, { env: { EVENTS: file }, ...extra }),
    events: () => readFileSync(file, "utf8").trim().split("\n"),
  };
}

async function settled(config: ServerConfig): Promise<Supervisor> {
  const supervisor = supervise([config]);
  await supervisor.ready({ timeout: "30s" });
  return supervisor;
}

describe("the handshake", () => {
  it("C043 answers pings of the server at any time, and refuses what it cannot do (row 14)", async () => {
    const supervisor = await running([scripted("p", "pingsClient.mjs")]);

    const { seen, slowest } = JSON.parse((await supervisor.callTool("mcp_p_report")).text) as {
      seen: unknown;
      slowest: number;
    };

    expect(seen).toEqual([
      ["early", "{}"],
      ["p-list", "{}"],
      ["p-call", "{}"],
      [0, "{}"],
      ["sampling", -32_601],
    ]);
    expect(slowest).toBeLessThan(4000);
  });

  it.each([["data"], ["text"], ["message"]])(
    "C045 tries once more with a version that the refusal names in its %s",
    async (where) => {
      const { config, events } = odd(["--only=2024-11-05,1999-01-01", `--where=${where}`]);
      const supervisor = await settled(config);

      expect(supervisor.server("h")!.status()).toMatchObject({
        state: "ready",
        generation: 1,
        protocolVersion: "2024-11-05",
      });
      expect(events()).toEqual(["start", "2025-11-25", "2024-11-05"]);
    },
  );

  it.each([
    ["every version", ["--refuse", "--only=2024-11-05"], ["start", "2025-11-25", "2024-11-05"], "2024-11-05"],
    ["what we know", ["--only=1999-01-01"], ["start", "2025-11-25"], "1999-01-01"],
    ["without a reason", ["--only=2024-11-05", "--where=nowhere"], ["start", "2025-11-25"], "-32602"],
  ])("C045 parks a server that refuses %s, ended and not tried again", async (_what, args, starts, named) => {
    const { config, events } = odd(args, { restart: "eager" });
    const supervisor = await settled(config);

    const status = supervisor.server("h")!.status();
    expect(status).toMatchObject({ state: "parked", generation: 1, pids: [] });
    expect(status.lastError?.message).toContain("Unsupported protocol version");
    expect(status.lastError?.message).toContain("-32602");
    expect(status.lastError?.message).toContain("2025-11-25");
    expect(status.lastError?.message).toContain(named);
    expect(events()).toEqual(starts);
  });

  it("C046 works with an old version and shows it", async () => {
    const supervisor = await settled(odd(["--version=2024-11-05"]).config);
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", protocolVersion: "2024-11-05" });
    expect(await supervisor.callTool("mcp_h_echo", { a: 1 })).toMatchObject({ ok: true, text: '{"a":1}' });
  });

  it.each([
    ["--version=2099-01-01", '"2099-01-01"'],
    ["--version=1.0", '"1.0"'],
    ["--version=null", "null"],
    ["--version=2026-07-28", '"2026-07-28"'],
    ["--result=null", "null"],
    ["--result=[]", "null"],
    ['--result="2025-11-25"', "null"],
    ['--result={"protocolVersion":20251125}', "20251125"],
    ['--result={"protocolVersion":{"toString":1}}', '{"toString":1}'],
  ])("C046 parks a server that answers %s, and names both versions", async (arg, offered) => {
    const { config, events } = odd([arg], { restart: "eager" });
    const supervisor = await settled(config);

    const status = supervisor.server("h")!.status();
    expect(status).toMatchObject({
      state: "parked",
      generation: 1,
      pids: [],
      lastError: { kind: "version-mismatch" },
    });
    expect(status.lastError?.message).toContain(`protocol version ${offered}`);
    expect(status.lastError?.message).toContain(known);
    expect(events()).toEqual(["start", "2025-11-25"]);
  });

  it.each([
    ['{"protocolVersion":"2025-06-18"}'],
    ['{"protocolVersion":"2025-06-18","capabilities":null,"serverInfo":null}'],
    ['{"protocolVersion":"2025-06-18","capabilities":[],"serverInfo":"me","instructions":7}'],
  ])("is ready without tools after %s", async (result) => {
    const supervisor = await settled(odd([`--result=${result}`]).config);
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", toolCount: 0 });
  });

  it("C049, C051 asks a server for nothing but tools, whatever it declares", async () => {
    const events = join(temporaryFolder(), "events");
    const supervisor = await running([
      scripted("plain", "declaresTools.mjs"),
      scripted("strict", "declaresTools.mjs", ["--fatal"], { env: { EVENTS: events } }),
      scripted("boasts", "declaresTools.mjs", [
        "--fatal",
        "--declares=resources,prompts,logging,completions",
      ]),
    ]);
    // Some of its notices of changed lists must have come.
    await new Promise((done) => setTimeout(done, 500));

    for (const id of ["plain", "strict", "boasts"]) {
      expect(await supervisor.callTool(`mcp_${id}_asked`)).toMatchObject({ ok: true, text: "[]" });
      expect(supervisor.server(id)!.status()).toMatchObject({
        state: "ready",
        generation: 1,
        toolCount: 1,
        warnings: [],
      });
    }
  });
});
