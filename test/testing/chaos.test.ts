import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  chaos,
  fakeServer,
  fleetOf,
  record,
  replay,
  simulatedClock,
  toxicProxy,
  watchInvariants,
} from "../../src/testing/index.js";
import type { FakeScript, FakeServer, Toxic, WireFault } from "../../src/testing/index.js";
import { eventually, nextFact, running, scripted, supervise } from "../support.js";

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((each) => each.close()));
});

async function fake(script: FakeScript): Promise<FakeServer> {
  const made = await fakeServer(script);
  closing.push(made);
  return made;
}

describe("chaos", () => {
  it("makes the same faults with the same seed, and breaks no promise", async () => {
    const runs: WireFault[][] = [];
    for (const seed of [7, 7, 8]) {
      const met: WireFault[] = [];
      const files = await fake({ id: "files" });
      const plan = {
        seed,
        chance: { "drop-answer": 0.1, "duplicate-answer": 0.2, "drop-connection": 0.05 },
        onFault: (fault: WireFault) => void met.push(fault),
      };
      const supervisor = await running(fleetOf(files).servers, {
        transports: { files: chaos(files, plan) },
      });
      const watch = watchInvariants(supervisor.events$);
      for (let call = 0; call < 30; call++)
        await supervisor.callTool("mcp_files_echo", { call }, { timeout: "300ms" });
      await supervisor.stop();
      expect(watch.finish()).toEqual([]);
      runs.push(met);
    }

    expect(runs[0]!.length).toBeGreaterThan(3);
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).not.toEqual(runs[0]);
  });

  it("kills a real process, and the fleet comes back with another one", async () => {
    let armed = false;
    const plan = {
      seed: 1,
      chance: { kill: 1 },
      active: () => armed,
      onFault: () => {
        armed = false;
      },
    };
    const supervisor = await running([scripted("one", "scripted.mjs")], {
      transports: { one: chaos(undefined, plan) },
    });
    const before = await supervisor.callTool("mcp_one_pid", {});
    const down = nextFact(supervisor, "mcp.disconnected");

    armed = true;
    await supervisor.callTool("mcp_one_echo", {});

    expect((await down).reason).toMatchObject({ kind: "killed", signal: "SIGKILL" });
    const after = await supervisor.callTool("mcp_one_pid", {});
    expect(after.ok).toBe(true);
    expect(after.text).not.toBe(before.text);
  });

  it("does what its schedule says when its time has come", async () => {
    const clock = simulatedClock();
    const files = await fake({ id: "files", clock });
    const supervisor = supervise([files.config], {
      clock,
      transports: {
        files: chaos(files, { seed: 1, clock, schedule: [{ at: 5000, fault: "drop-connection" }] }),
      },
    });
    await supervisor.start();
    await eventually(() => supervisor.servers()[0]?.state === "ready", "ready");

    await clock.advance(4999);
    expect(supervisor.servers()[0]?.state).toBe("ready");
    await clock.advance(1);
    await eventually(() => supervisor.servers()[0]?.state === "idle", "idle");
    expect(supervisor.servers()[0]?.lastError?.kind).toBe("reset");
  });
});

async function through(...toxics: Toxic[]) {
  const web = await fake({ id: "web", over: "http" });
  const proxy = await toxicProxy({ target: web.config.url!, toxics });
  closing.push(proxy);
  const supervisor = supervise([{ ...web.config, url: proxy.url, timeout: "5s" }]);
  await supervisor.ready({ timeout: "20s" });
  return { supervisor, proxy };
}

describe("a toxic proxy", () => {
  it("lets everything through without toxics, and in slices", async () => {
    for (const toxics of [[], [{ kind: "slice", bytes: 40, ms: 1 } as const]]) {
      const { supervisor } = await through(...toxics);
      expect(await supervisor.callTool("mcp_web_echo", { text: "x".repeat(2000) })).toMatchObject({
        ok: true,
      });
    }
  });

  it("slows a call down by its latency, and by its bandwidth", async () => {
    const { supervisor } = await through({ kind: "latency", ms: 120, direction: "down" });
    const slow = await supervisor.callTool("mcp_web_echo", { text: "a" });
    expect(slow).toMatchObject({ ok: true });
    expect(slow.call.durationMs).toBeGreaterThan(110);

    const { supervisor: narrow } = await through({
      kind: "bandwidth",
      bytesPerSecond: 10_000,
      direction: "down",
    });
    const big = await narrow.callTool("mcp_web_echo", { text: "a".repeat(5000) });
    expect(big.call.durationMs).toBeGreaterThan(450);
  });

  it("cuts a call off, which then says that its outcome is unknown", async () => {
    const { supervisor, proxy } = await through();
    proxy.add({ kind: "limit", bytes: 10, direction: "down" });
    proxy.cut();

    const cut = await supervisor.callTool("mcp_web_echo", { text: "a" }, { timeout: "3s" });

    expect(cut.ok).toBe(false);
    expect(["outcome-unknown", "timeout", "unavailable"]).toContain(cut.ok ? "" : cut.failure.kind);
  });

  it("lets a call run into its deadline when nothing gets through", async () => {
    const { supervisor, proxy } = await through();
    proxy.add({ kind: "timeout", ms: 0 });
    proxy.cut();

    expect(await supervisor.callTool("mcp_web_echo", {}, { timeout: "400ms" })).toMatchObject({
      ok: false,
    });
  });
});

describe("a recording", () => {
  it("holds the wire with the secrets masked, and can be played again", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mcpvisor-test-"));
    closing.push({ close: () => rm(folder, { recursive: true }) });
    const secret = "s3cr3t-value-0123456789";
    const supervisor = supervise([scripted("one", "scripted.mjs", [], { env: { API_TOKEN: secret } })]);
    const recording = record(supervisor);
    await supervisor.ready({ timeout: "20s" });
    const first = await supervisor.callTool("mcp_one_pid", {});
    const leaked = await supervisor.callTool("mcp_one_env", { name: "API_TOKEN" });
    await supervisor.callTool("mcp_one_exit", { code: 3 });
    await supervisor.stop();
    const file = join(folder, "wire.ndjson");
    await recording.save(file);

    expect(leaked.ok).toBe(true);
    const text = await readFile(file, "utf8");
    expect(text).not.toContain(secret);
    expect(text.split("\n").filter((line) => line.includes('"way":"closed"'))).toHaveLength(1);

    const [played] = await replay(file);
    closing.push(played!);
    const again = await running([], fleetOf(played!));
    expect(again.tools().map(({ tool }) => tool)).toEqual([
      "args",
      "echo",
      "env",
      "exit",
      "pid",
      "sleep",
      "wait",
    ]);
    expect((await again.callTool("mcp_one_pid", {})).text).toBe(first.text);
    expect(await again.callTool("mcp_one_echo", { text: "never heard" })).toMatchObject({
      ok: false,
      failure: { kind: "protocol-error", code: -32001 },
    });
  });

  it("is refused for what was not made by this kit", () => {
    expect(() => record({} as never)).toThrow("not made by createSupervisor");
  });
});
