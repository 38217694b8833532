import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createCgroup, openCgroup, runFolder } from "../../src/process/containment/cgroup.js";
import { cgroupPlace, tryVersion } from "../../src/process/containment/cgroupPlace.js";
import { createContainment, orphanWarning } from "../../src/process/containment/containment.js";
import {
  containments,
  isAlive,
  shapes,
  until,
  plainEnv,
  endFamily,
  left,
  newToken,
  shortGraces,
  startShape,
  tempHome,
  testProcesses,
  withToken,
} from "./support.js";

const path = process.env["PATH"];

/** Whether this machine lets us make control groups. */
const place = cgroupPlace();
const has = "folder" in place;

function groupOf(run: string): string {
  return "folder" in place ? runFolder(place.folder, run) : "";
}

afterEach(() => {
  process.env["PATH"] = path;
});

/** A stand-in for tini: becomes a subreaper, then the command. */
const fakeTini = `#!/usr/bin/perl
syscall(157, 36, 1, 0, 0, 0) == 0 or die "prctl: $!";
shift @ARGV while @ARGV and $ARGV[0] =~ /^-/;
exec @ARGV or exit 127;
`;

/** Puts the stand-in on PATH, as a user would install tini. */
function installTini(): void {
  const folder = join(tempHome(), "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "tini"), fakeTini);
  chmodSync(join(folder, "tini"), 0o755);
  process.env["PATH"] = `${folder}${delimiter}${path}`;
}

describe("containment", () => {
  it("that is asked for and not available is a configuration error", () => {
    process.env["PATH"] = "/nowhere";

    expect(() => testProcesses({ containment: "subreaper" })).toThrow(
      'containment "subreaper" is not available here: the program tini was not found on PATH',
    );
  });

  it("warns a host that is process 1 and would collect zombies, unless tini collects them", () => {
    expect(orphanWarning(1, { kind: "off" })).toContain("docker run --init");
    expect(orphanWarning(1, { kind: "cgroup" })).toContain("docker run --init");
    expect(orphanWarning(1, { kind: "subreaper" })).toBeUndefined();
    expect(orphanWarning(4711, { kind: "off" })).toBeUndefined();
  });

  it("by auto is control groups where they can be had, and nothing where there is no tini either", () => {
    const host = { run: "0", searchPath: "/nowhere", pid: 4711 };
    expect(createContainment("auto", host).kind).toBe(has ? "cgroup" : "off");
    expect(createContainment("off", host).kind).toBe("off");
  });

  it("by auto is a subreaper for process 1 of a container, whose zombies somebody must collect", () => {
    installTini();
    const host = { run: "0", searchPath: process.env["PATH"], pid: 1 };

    expect(createContainment("auto", host).kind).toBe("subreaper");
  });

  it("by a subreaper holds daemons that left session, environment and pipes", async () => {
    installTini();
    const processes = testProcesses({ containment: "subreaper" });
    const tokens = [newToken(), newToken(), newToken()];
    onTestFinished(() => endFamily(...tokens));
    const children = await Promise.all(tokens.map((token) => startShape(processes, "O", token)));
    expect(tokens.map((token) => withToken(token).length)).toEqual([2, 2, 2]);

    const ends = await Promise.all(children.map((child) => child.stop(shortGraces)));

    expect(ends.map((end) => end.survivors)).toEqual([[], [], []]);
    expect(await left(tokens, 0)).toEqual([]);
  });

  it("by a subreaper still says that a command is missing, and which signal ended a server", async () => {
    installTini();
    const processes = testProcesses({ containment: "subreaper" });
    const env = plainEnv();
    const run = (command: string, ...args: string[]) =>
      processes.spawn({ server: "a", generation: 1, command, args, env });

    await expect(run("nobody-has-this")).rejects.toMatchObject({ info: { kind: "command-not-found" } });
    expect(await (await run("sh", "-c", "exit 139")).exit).toEqual({ code: null, signal: "SIGSEGV" });
    expect(await (await run("sh", "-c", "exit 3")).exit).toEqual({ code: 3, signal: null });
  });

  it.each(has ? ([["cgroup"]] as const) : [])("by a %s holds them too", async () => {
    const processes = testProcesses({ containment: "cgroup" });
    const token = newToken();
    onTestFinished(() => endFamily(token));
    const child = await startShape(processes, "O", token);
    expect(withToken(token)).toHaveLength(2);

    const end = await child.stop(shortGraces);

    expect(end.survivors).toEqual([]);
    expect(await left([token], 0)).toEqual([]);
    await processes.close();
    expect(existsSync(groupOf(processes.runId))).toBe(false);
  });

  it.each(([1, 2] as const).filter((version) => "folder" in tryVersion(version)))(
    "by a control group of version %i freezes and kills all but who is spared",
    async (version) => {
      const at = tryVersion(version);
      if (!("folder" in at)) return;
      const base = runFolder(at.folder, `test-${process.pid}`);
      const group = createCgroup(base, "a.1");
      const token = newToken();
      onTestFinished(() => endFamily(token));
      const enter = 'echo $$ >"$0/cgroup.procs" && exec sh "$@"';
      const family = spawn("sh", ["-c", enter, group.path, shapes, "J", token], {
        detached: true,
      });
      await new Promise((ready) => family.stdout.once("data", ready));
      const spared = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
      onTestFinished(() => void spared.kill("SIGKILL"));
      writeFileSync(join(group.path, "cgroup.procs"), String(spared.pid));

      const whole = openCgroup(base, at.folder);
      whole.freeze();
      const frozen = whole.members();
      await new Promise((tick) => setTimeout(tick, 100));
      expect(frozen.length).toBeGreaterThan(5);
      expect(new Set(whole.members())).toEqual(new Set(frozen));
      whole.kill([spared.pid ?? 0]);

      expect(await left([token])).toEqual([]);
      expect(isAlive(spared.pid ?? 0)).toBe(true);
      await until("it is removed", () => whole.remove());
    },
  );

  it.each(has ? [] : ([["cgroup"]] as const))("by a %s says why it cannot be had", () => {
    expect(() => testProcesses({ containment: "cgroup" })).toThrow(
      'containment "cgroup" is not available here: ',
    );
  });

  it.each(containments)("leaves a server its environment (%s)", async (containment) => {
    const processes = testProcesses({ containment });
    const env = { PATH: process.env["PATH"] ?? "", ONE: "1" };
    const args = ["-c", "read -r _; exec env"];
    const child = await processes.spawn({ server: "a", generation: 1, command: "sh", args, env });

    const said = collect(child.stdout);
    child.stdin.end("go\n");
    const text = await said.end;

    const names = text.split("\n").flatMap((line) => line.split("=")[0] ?? []);
    // PWD is of the shell that the test runs.
    expect(new Set(names)).toEqual(new Set(["", "PATH", "ONE", "PWD", "MCPVISOR_RUN"]));
  });

  it.each(containments)("lets a server end in its own time when it is asked to (%s)", async (containment) => {
    const processes = testProcesses({ containment });
    const script = 'trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.05; done';
    const child = await processes.spawn({
      server: "a",
      generation: 1,
      command: "sh",
      args: ["-c", script],
      env: plainEnv(),
    });
    const said = collect(child.stdout);
    await until("it is ready", () => said.text() !== "");

    const end = await child.stop({ eofMs: 50, termMs: 10_000, killMs: 5000 });

    expect(end).toMatchObject({ survivors: [], forced: false });
    expect(await said.end).toBe("ready\nbye\n");
  });
});

function collect(stream: Readable): { text(): string; end: Promise<string> } {
  let text = "";
  stream.on("data", (data) => (text += String(data)));
  return { text: () => text, end: new Promise((done) => stream.once("close", () => done(text))) };
}
