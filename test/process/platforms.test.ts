import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { realClock } from "../../src/clock.js";
import { createLinux } from "../../src/process/platform/linux.js";
import type { ProcessRow } from "../../src/process/platform/platform.js";
import { createPosix } from "../../src/process/platform/posix.js";
import { createWindows } from "../../src/process/platform/windows.js";
import { stopTree } from "../../src/process/tree/stopTree.js";
import { createSweeper } from "../../src/process/tree/sweep.js";
import { tempHome } from "./support.js";
import { createTree } from "../../src/process/tree/tree.js";

const mark = `${"a".repeat(32)}.demo.1`;
const graces = { eofMs: 20, termMs: 20, killMs: 1000 };

describe("macOS, with an injected ps", () => {
  const table = `
    1     0     1 Ss   Mon Nov 30 08:00:00 2026     launchd
  500     1   500 Ss   Mon Nov 30 13:18:01 2026     node
  501   500   500 S    Mon Nov 30 13:18:02 2026     my server
  502     1   502 Ss   Mon Nov  3 13:18:03 2026     daemon
  503     1   503 Z    Mon Nov 30 13:18:03 2026     (gone)
  504     1   504 Ss   Mon Nov 30 13:18:04 2026     innocent
`;
  const environs = `
  502 /bin/daemon --x PATH=/bin MCPVISOR_RUN=${mark} HOME=/Users/me
  504 /bin/innocent --MCPVISOR HOME=/Users/me
`;

  it("lists processes with their start times and marks", async () => {
    const platform = createPosix({
      run: async (args) => (args.includes("-E") ? environs : table),
      runNow: (args) =>
        args.includes("-p") ? "  501   500   500 S    Mon Nov 30 13:18:02 2026     my server\n" : table,
    });
    const rows: ProcessRow[] = [];
    await platform.scan(
      (row) => void rows.push(row),
      () => false,
    );

    expect(rows.map((row) => row.pid)).toEqual([504, 503, 502, 501, 500, 1]);
    expect(rows[3]).toEqual({
      pid: 501,
      ppid: 500,
      pgid: 500,
      sid: 0,
      start: "Mon_Nov_30_13:18:02_2026",
      name: "my server",
      zombie: false,
    });
    expect(rows[1]?.zombie).toBe(true);
    expect(rows.map((row) => platform.marker(row))).toEqual([
      undefined,
      undefined,
      mark,
      undefined,
      undefined,
      undefined,
    ]);
    expect(platform.look(501)?.start).toBe("Mon_Nov_30_13:18:02_2026");
  });

  it("ends group, descendants and marked daemons, and nobody else", async () => {
    let alive = table;
    const signals: string[] = [];
    const ps = (args: readonly string[]) => (args.includes("-E") ? environs : alive);
    const platform = {
      ...createPosix({ run: async (args) => ps(args), runNow: ps }),
      signal: (pid: number, signal: string) => signals.push(`${signal} ${pid}`) > 0,
      signalGroup(pgid: number, signal: string) {
        signals.push(`${signal} -${pgid}`);
        if (signal === "SIGKILL" && pgid === 502) alive = table.replaceAll(/^ +50[012] .*\n/gm, "");
        return true;
      },
    };
    const root = { pid: 500, start: "Mon_Nov_30_13:18:01_2026" };
    const tree = createTree({ roots: [root], since: root.start, mark, pipes: [], ownGroup: true });
    const tools = { sweeper: createSweeper(platform), platform, clock: realClock };

    const end = await stopTree({ tree, exited: new Promise(() => {}), closeInput: () => {} }, graces, tools);

    expect(end).toMatchObject({ survivors: [], forced: true });
    expect(signals).toContain("SIGTERM -500");
    expect(signals).toContain("SIGTERM -502");
    expect(signals).toContain("SIGKILL -500");
    expect(signals.filter((each) => /50[34]$|-1$| 1$/.test(each))).toEqual([]);
  });

  it("reads what the ps of this machine prints", async () => {
    const child = spawn("sleep", ["30"], { detached: true, stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const row = createPosix().look(child.pid ?? 0);

    expect(row).toMatchObject({ pid: child.pid, ppid: process.pid, pgid: child.pid, zombie: false });
    expect(row?.start).toMatch(/^\w{3}_\w{3}_\d+_\d\d:\d\d:\d\d_\d{4}$/);
  });
});

describe("Windows, with injected programs", () => {
  const listing = [
    "4 0  System",
    "700 4 638000000000000100 explorer.exe",
    "800 700 638000000000000200 cmd.exe",
    "801 800 638000000000000300 node.exe",
    "802 801 638000000000000400 helper tool.exe",
    "900 800 638000000000000150 older than its parent.exe",
    "",
  ].join("\r\n");

  it("ends the listed tree by pid, children of a dead parent too, without any signal before", async () => {
    let alive = listing;
    const killed: string[] = [];
    const platform = createWindows({
      run: async () => alive,
      runNow(program, args) {
        if (program !== "taskkill.exe") return alive;
        killed.push(args.join(" "));
        alive = alive.replace(new RegExp(`^${args[1]} .*\r\n`, "m"), "");
        return "";
      },
    });
    const root = { pid: 800, start: "" };
    const tree = createTree({ roots: [root], since: "", mark, pipes: [], ownGroup: false });
    const tools = { sweeper: createSweeper(platform), platform, clock: realClock };

    const end = await stopTree({ tree, exited: new Promise(() => {}), closeInput: () => {} }, graces, tools);

    expect(end).toMatchObject({ survivors: [], forced: true });
    expect(killed.toSorted()).toEqual(["/PID 800 /T /F", "/PID 801 /T /F", "/PID 802 /T /F"]);
  });

  it("never kills the system's own processes", () => {
    const platform = createWindows({ run: async () => "", runNow: () => "" });

    expect([0, 4, -5, 1.5].map((pid) => platform.signal(pid, "SIGKILL"))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

/** Waits without letting Node hear of anything, until the process is a zombie. */
function untilDead(pid: number): void {
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (let look = 0; look < 1000 && createLinux().look(pid)?.zombie !== true; look++)
    Atomics.wait(still, 0, 0, 10);
}

describe("Linux", () => {
  it.each([
    ["exit 7", { code: 7, signal: null }],
    ["kill -9 $$", { code: null, signal: "SIGKILL" }],
    ["kill -TERM $$", { code: null, signal: "SIGTERM" }],
    // What those are shown who may not know looks the same.
    ["exit 0", undefined],
  ])("knows how a child ended (%s) before Node tells", (script, end) => {
    const { pid } = spawn("sh", ["-c", script], { stdio: "ignore" });
    untilDead(pid!);

    expect(createLinux().exitOf(pid!)).toEqual(end);
  });

  it("knows of no end of a process that lives, or that there is not", () => {
    expect(createLinux().exitOf(process.pid)).toBeUndefined();
    expect(createLinux().exitOf(2 ** 30)).toBeUndefined();
  });

  it("reads names with blanks and brackets, groups, sessions and start times", async () => {
    const linux = createLinux();
    const child = spawn(
      "sh",
      ["-c", 'cp $(command -v sleep) "$0" && exec "$0" 30', join(tempHome(), "a) (b 1")],
      {
        detached: true,
        stdio: "ignore",
      },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    await expect
      .poll(() => linux.look(child.pid ?? 0)?.name, { timeout: 20_000, message: "the child under its name" })
      .toBe("a) (b 1");

    expect(linux.look(child.pid ?? 0)).toMatchObject({
      ppid: process.pid,
      pgid: child.pid,
      sid: child.pid,
      zombie: false,
      start: expect.stringMatching(/^\d+$/),
    });
    expect(linux.look(4_194_305)).toBeUndefined();
    expect(linux.isOurs(process.pid)).toBe(true);
    expect(linux.signal(1, "SIGKILL")).toBe(false);
    expect(linux.signal(0, "SIGKILL")).toBe(false);
    expect(linux.signal(-1, "SIGKILL")).toBe(false);
    expect(linux.signalGroup(1, "SIGKILL")).toBe(false);
  });
});
