import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Supervisor } from "../../src/index.js";
import { eventually, lives, nextFact, running, scripted, supervise, temporaryFolder } from "../support.js";
import { type CompiledRooms, compileRooms, libraryRooms } from "../process/hostPrograms.js";

const quick = { eof: "300ms", term: "1s", kill: "5s" };

async function pidsOf(supervisor: Supervisor): Promise<number[]> {
  return (await supervisor.callTool("mcp_l_pids", {}, { timeout: "20s" })).text.split(" ").map(Number);
}

async function alive(pids: readonly number[]): Promise<number[]> {
  const each = await Promise.all(pids.map((pid) => lives(pid)));
  return pids.filter((_pid, at) => each[at]);
}

describe("processes of servers", () => {
  it.each([[[]], [["--stubborn"]]])(
    "C001 ends the launcher and the server behind it %j",
    { timeout: 60_000 },
    async (args) => {
      const file = join(temporaryFolder(), "events");
      const supervisor = await running([
        scripted("l", "behindLauncher.mjs", args, { shutdown: quick, env: { EVENTS: file } }),
      ]);

      for (let n = 0; n < 3; n++) {
        const old = await pidsOf(supervisor);
        expect(old).toHaveLength(2);
        await supervisor.server("l")!.restart();
        expect(await alive(old)).toEqual([]);
      }
      const all = readFileSync(file, "utf8").trim().split(/\s/).map(Number);
      expect(await alive(all)).toEqual(await pidsOf(supervisor));
      const report = await supervisor.stop();

      expect(report.survivors).toEqual([]);
      expect(await alive(all)).toEqual([]);
    },
  );

  it("C001 leaves nothing when the launcher dies and the real server lives on", {
    timeout: 60_000,
  }, async () => {
    const supervisor = await running([
      scripted("l", "behindLauncher.mjs", ["--stubborn"], { shutdown: quick }),
    ]);
    const old = await pidsOf(supervisor);

    const noticed = nextFact(supervisor, "mcp.disconnected");
    process.kill(old[0]!, "SIGKILL");
    await noticed;
    const next = await pidsOf(supervisor);

    expect(next).not.toEqual(old);
    expect(await alive(old)).toEqual([]);
  });

  it("C002 ends ten servers that ignore everything in the time of one", { timeout: 90_000 }, async () => {
    const ids = Array.from({ length: 10 }, (_, n) => `l${n}`);
    const supervisor = await running(
      ids.map((id) => scripted(id, "behindLauncher.mjs", ["--stubborn"], { shutdown: quick })),
    );
    const pids = supervisor.servers().flatMap((server) => server.pids);
    expect(await alive(pids)).toHaveLength(pids.length);

    const report = await supervisor.stop();

    expect(report).toMatchObject({ survivors: [], ended: 10 });
    expect(report.forced).toBeGreaterThan(0);
    // One after the other would take at least 13 s of grace.
    expect(report.ms).toBeLessThan(12_000);
    expect(await alive(pids)).toEqual([]);
  });

  it("C006 starts once for ten calls, and at most twice for ten restarts", { timeout: 60_000 }, async () => {
    const file = join(temporaryFolder(), "events");
    const starts = (): number => readFileSync(file, "utf8").trim().split("\n").length;
    const supervisor = await running([
      scripted("c", "countsStarts.mjs", [], { env: { EVENTS: file }, lazy: true, shutdown: quick }),
    ]);
    await supervisor.server("c")!.connect();
    await supervisor.server("c")!.disconnect();
    const before = starts();

    const results = await Promise.all(Array.from({ length: 10 }, () => supervisor.callTool("mcp_c_pid")));
    expect(new Set(results.map((result) => result.ok && result.text)).size).toBe(1);
    expect(starts()).toBe(before + 1);

    await Promise.all(Array.from({ length: 10 }, () => supervisor.server("c")!.restart()));
    expect(starts()).toBeLessThanOrEqual(before + 3);
    const pids = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => Number(line.split(" ")[2]));
    expect(await alive(pids)).toEqual([supervisor.server("c")!.status().pids[0]]);
  });

  it("C006 ends a start that is under way, and what waits for it", { timeout: 60_000 }, async () => {
    const file = join(temporaryFolder(), "events");
    const supervisor = supervise([
      scripted("c", "countsStarts.mjs", ["--slow=60000"], { env: { EVENTS: file }, shutdown: quick }),
      scripted("seen", "countsStarts.mjs"),
    ]);
    await supervisor.start();
    await eventually(() => supervisor.server("c")!.status().state === "initializing", "the handshake");
    const pids = supervisor.server("c")!.status().pids;
    const waiting = supervisor.server("c")!.connect();

    const status = await supervisor.server("c")!.disconnect();

    expect(status.state).toBe("idle");
    expect((await waiting).state).not.toBe("ready");
    expect(await alive(pids)).toEqual([]);
    await new Promise((done) => setTimeout(done, 1500));
    expect(supervisor.server("c")!.status()).toMatchObject({ state: "idle", generation: 1, pids: [] });
  });
});

describe("the end of a host whose servers are still starting", () => {
  let rooms: CompiledRooms;
  beforeAll(() => {
    rooms = compileRooms(libraryRooms);
  });
  afterAll(() => rooms.remove());

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("C004 leaves no child behind after %s", { timeout: 60_000 }, async (signal, code) => {
    const folder = temporaryFolder();
    const log = join(folder, "pids");
    const config = scripted("mute", "neverInitializes.mjs", [`--log=${log}`], { shutdown: quick });
    const program = `
      const { createSupervisor } = await import(${JSON.stringify(join(rooms.folder, "index.js"))});
      const supervisor = createSupervisor(${JSON.stringify({ servers: [config], home: join(folder, "home") })});
      await supervisor.start();
      setInterval(() => {}, 1000);`;
    const host = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
    const ended = once(host, "exit") as Promise<[number | null, string | null]>;
    const pid = await eventually(() => existsSync(log) && Number(readFileSync(log, "utf8")), "the child");
    await new Promise((done) => setTimeout(done, 100));

    host.kill(signal);
    const [exitCode, by] = await ended;

    expect(by ?? exitCode).toBe(by === null ? code : signal);
    await eventually(async () => !(await lives(pid)), "the end of the child");
  });
});
