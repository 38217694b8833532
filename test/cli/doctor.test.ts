import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Checkup } from "../../src/cli/doctor/checkup.js";
import { findingsOf } from "../../src/cli/doctor/findings.js";
import { normalizeServer } from "../../src/config/entries/normalize.js";
import { currentPlatform } from "../../src/process/platform/current.js";
import { openLedger } from "../../src/process/guard/ledger.js";
import { openSandbox } from "./support/binary.js";
import { server } from "./support/fakeSupervisor.js";

let sandbox: ReturnType<typeof openSandbox>;

beforeEach(() => {
  sandbox = openSandbox();
});

afterEach(() => sandbox.close());

const patient = { timeout: 60_000 };

/** Processes of other tests on this machine may be told as notes. */
interface Report {
  ok: boolean;
  servers: Record<string, unknown>[];
  findings: { level: string; about: string; message: string; todo: string }[];
  [field: string]: unknown;
}

async function report(extra: Record<string, string> = {}): Promise<Report & { code: number | null }> {
  const { code, stdout } = await sandbox.run(["doctor", "--json"], "", extra);
  return { ...(JSON.parse(stdout) as Report), code };
}

describe("mcpvisor doctor", () => {
  it("finds nothing to do in a fresh home, and leaves nothing there", patient, async () => {
    const found = await report();

    expect(found).toMatchObject({
      code: 0,
      ok: true,
      home: sandbox.home,
      service: { state: "none" },
      versions: { node: process.versions.node },
      ledgers: [],
      orphans: [],
      problems: [],
      servers: [{ id: "gmail", enabled: false }, { id: "connectors" }],
    });
    expect(found["containment"]).toHaveLength(3);
  });

  it("names what a server does not get, what it lacks, and where its file is wrong", patient, async () => {
    mkdirSync(sandbox.home, { mode: 0o700 });
    sandbox.file(
      "home/mcp.json",
      `{"mcpServers": {
  "good": {"command": "node", "limits": {"inFlight": 4}},
  "lost": {"command": "no-such-program-here"},
  "wrong": {"command": 7}
}}`,
    );
    sandbox.file(".mcp.json", '{"mcpServers": {"theirs": {"command": "node"}}}');

    const found = await report({ MY_SECRET_TOKEN: "canary" });

    expect(found.code).toBe(1);
    expect(found.servers).toContainEqual(
      expect.objectContaining({
        id: "good",
        removed: expect.arrayContaining(["MY_SECRET_TOKEN"]),
        limits: expect.objectContaining({ inFlight: 4, queued: 256 }),
      }),
    );
    const error = found.findings.filter(({ level }) => level === "error");
    expect(error).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/mcp\.json:4:\d+: error: .*command/) }),
      expect.objectContaining({ about: 'server "lost"', message: "its command was not found on PATH" }),
    ]);
    expect(found.findings).toContainEqual({
      level: "warning",
      about: 'server "theirs"',
      message: "waits for approval",
      todo: "run `mcpvisor up` in a terminal and answer its question",
    });
    expect(JSON.stringify(found)).not.toContain("canary");

    const { stdout, code } = await sandbox.run(["doctor"], "", { MY_SECRET_TOKEN: "canary" });
    expect(code).toBe(1);
    expect(stdout).toContain('limits of server "good": inFlight 4\n');
    expect(stdout).toContain(
      'error: server "lost": its command was not found on PATH; install it, or write its full path into command\n',
    );
    expect(stdout).toMatch(/2 errors, \d+ warnings?\n$/);
  });

  it.skipIf(process.platform !== "linux")("finds the orphans of a dead supervisor", patient, async () => {
    const run = "00112233445566778899aabbccddeeff";
    const ledger = openLedger(sandbox.home, {
      run,
      pid: 999_999,
      start: "1",
      boot: currentPlatform().bootId(),
    });
    const orphan = spawn("sleep", ["60"], { env: { ...process.env, MCPVISOR_RUN: `${run}.files.1` } });
    const ended = once(orphan, "exit");
    try {
      const pid = orphan.pid!;
      await ledger.add({
        pid,
        start: currentPlatform().look(pid)?.start ?? "",
        server: "files",
        generation: 1,
      });

      const found = await report();

      expect(found).toMatchObject({ code: 1, orphans: [{ pid, server: "files" }] });
      expect(found["ledgers"]).toMatchObject([{ ownerPid: 999_999, owner: "dead", children: [{ pid }] }]);
      expect(found.findings[0]).toMatchObject({ level: "warning", about: "processes" });
      expect(found.findings[0]?.todo).toContain(`kill ${pid}`);
      expect(orphan.exitCode).toBeNull();
    } finally {
      orphan.kill("SIGKILL");
      await ended;
    }
  });
});

describe("what a checkup means", () => {
  it("is nothing when nothing is wrong", () => {
    expect(findingsOf(checkup({}))).toEqual([]);
  });

  it("puts what is worse first, and says what to do about each", () => {
    const parked = server("files", {
      state: "parked",
      cause: { kind: "exited-before-ready", message: "it exited with 3" },
    });
    const marked = { pid: 7, name: "adb", run: "r", server: "phone", generation: 2 };
    const containment = [{ choice: "cgroup", available: false, auto: false, why: "none" }] as const;
    const none = { ledgers: [], orphans: [], strangers: [], containment };

    const found = findingsOf(
      checkup({
        versions: { mcpvisor: "1.0.0", node: "18.19.1", platform: "linux x64" },
        homeIsOpen: true,
        service: { state: "running", pid: 1, servers: [server("ok"), parked] },
        processes: { ...none, spared: [marked] },
      }),
    );

    expect(found.map(({ level, about, todo }) => [level, about, todo])).toEqual([
      ["error", "node", "install Node 20.20 or newer"],
      ["warning", "/home/ann/.mcpvisor", "chmod 700 /home/ann/.mcpvisor"],
      ["warning", 'server "files"', "mcpvisor connect files"],
      ["note", "processes", "end it if nobody needs it: kill 7"],
      ["note", "containment", "install tini to hold them for certain"],
    ]);
  });

  it("tells a service that does not answer from one that died", () => {
    const silent = checkup({ service: { state: "silent", pid: 5, servers: [] } });
    const dead = checkup({ service: { state: "dead", servers: [] } });

    expect(findingsOf(silent)).toMatchObject([{ level: "warning", todo: "end it and start anew: kill 5" }]);
    expect(findingsOf(dead)).toMatchObject([{ level: "note" }]);
  });

  it("tells who has to log in, grants that ended, files that cannot be read, and keys out of reach", () => {
    const list = [
      account("waits", { state: "logged-out" }),
      account("fine", { state: "logged-out" }),
      account("lost", { state: "ended", problem: "revoked" }),
      account("over", { state: "ended", problem: "revoked: invalid_grant" }),
      account("open", { state: "unreadable", problem: "others may read it; run: chmod 600 x.json" }),
      account("sealed", {}),
      account("plain", { keptIn: "file" }),
    ];
    const cause = { kind: "needs-authorization", message: "needs a login" } as const;
    const parked = server("waits", { state: "parked", cause });

    expect(
      about(
        findingsOf(
          checkup({
            accounts: { list, keyring: false },
            service: { state: "running", servers: [parked, { ...parked, id: "lost" }] },
          }),
        ),
      ),
    ).toEqual([
      ["error", 'server "open"', "correct the file; a service notices by itself"],
      ["error", 'server "sealed"', "install @napi-rs/keyring, or mcpvisor login sealed"],
      ["warning", 'server "over"', "mcpvisor login over"],
      ["warning", 'server "waits"', "mcpvisor login waits"],
      ["warning", 'server "lost"', "mcpvisor login lost"],
      ["note", 'server "plain"', "nothing, if that is wanted"],
    ]);
    expect(findingsOf(checkup({ accounts: { list: [account("sealed", {})], keyring: true } }))).toEqual([]);
  });

  it("tells consumers whose scope names nothing, whose token is over, and a browser for all of them", () => {
    const { spec } = normalizeServer(
      { id: "browser", command: "npx", args: ["@playwright/mcp"] },
      { scope: "inline" },
    );
    if (spec === undefined) throw new Error("no spec");
    const found = findingsOf(
      checkup({
        servers: [{ spec, removed: [], dropped: [] }],
        consumers: {
          unnamed: "open",

          problems: ["consumers.x is no object"],
          records: [
            { name: "claude", config: { servers: ["browser", "gone", "any*"] } },
            { name: "old", config: {}, token: { hash: "h", createdAt: 1, expiresAt: 2 } },
          ],
        },
      }),
    );
    expect(found.map(({ level, about }) => [level, about])).toEqual([
      ["warning", "consumers"],
      ["warning", 'consumer "claude"'],
      ["note", "gateway"],
      ["note", 'consumer "old"'],
      ["note", 'server "browser"'],
    ]);
  });
});

function checkup(given: Partial<Checkup>): Checkup {
  return {
    versions: { mcpvisor: "1.0.0", node: "20.20.0", platform: "linux x64" },
    home: "/home/ann/.mcpvisor",
    homeIsOpen: false,
    service: { state: "none", servers: [] },
    processes: {
      ledgers: [],
      orphans: [],
      spared: [],
      strangers: [],
      containment: [{ choice: "subreaper", available: true, auto: true }],
    },
    fleet: { specs: [], problems: [], files: [], broken: [], waiting: [] },
    servers: [],
    accounts: { list: [], keyring: true },
    consumers: { unnamed: undefined, records: [], problems: [] },
    ...given,
  };
}

const account = (id: string, more: Partial<Checkup["accounts"]["list"][number]>) => ({
  server: id,
  url: `https://${id}.example/mcp`,
  account: "default",
  state: "logged-in" as const,
  keptIn: "sealed-file" as const,
  ...more,
});

const about = (found: ReturnType<typeof findingsOf>) =>
  found.map(({ level, about: subject, todo }) => [level, subject, todo]);
