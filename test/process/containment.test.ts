import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { cgroupBase, removeCgroupBase } from "../../src/process/cgroup.js";
import { createContainment, orphanWarning } from "../../src/process/containment.js";
import {
  plainEnv,
  killToken,
  newToken,
  shortGraces,
  startShape,
  tempHome,
  testProcesses,
  withToken,
} from "./support.js";

const path = process.env["PATH"];

/** Whether this machine lets us make control groups. */
const probe = cgroupBase("probe");
if ("base" in probe) removeCgroupBase(probe.base);

function groupOf(run: string): string {
  return "base" in probe ? probe.base.replace("probe", run) : "";
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

  it("is off where auto finds no tini", () => {
    expect(createContainment("auto", "0", "/nowhere").kind).toBe("off");
    expect(createContainment("off", "0", "/nowhere").kind).toBe("off");
  });

  it("by a subreaper holds daemons that left session, environment and pipes", async () => {
    installTini();
    const processes = testProcesses();
    const tokens = [newToken(), newToken(), newToken()];
    onTestFinished(() => tokens.forEach(killToken));
    const children = await Promise.all(tokens.map((token) => startShape(processes, "O", token)));
    expect(tokens.map((token) => withToken(token).length)).toEqual([2, 2, 2]);

    const ends = await Promise.all(children.map((child) => child.stop(shortGraces)));

    expect(ends.map((end) => end.survivors)).toEqual([[], [], []]);
    expect(tokens.flatMap(withToken)).toEqual([]);
  });

  it("by a subreaper still says that a command is missing, and which signal ended a server", async () => {
    installTini();
    const processes = testProcesses({ containment: "subreaper" });
    const env = plainEnv();
    const spawn = (command: string, ...args: string[]) =>
      processes.spawn({ server: "a", generation: 1, command, args, env });

    await expect(spawn("nobody-has-this")).rejects.toMatchObject({ info: { kind: "command-not-found" } });
    expect(await (await spawn("sh", "-c", "exit 139")).exit).toEqual({ code: null, signal: "SIGSEGV" });
    expect(await (await spawn("sh", "-c", "exit 3")).exit).toEqual({ code: 3, signal: null });
  });

  it.each("base" in probe ? ([["cgroup"]] as const) : [])("by a %s holds them too", async () => {
    const processes = testProcesses({ containment: "cgroup" });
    const token = newToken();
    onTestFinished(() => killToken(token));
    const child = await startShape(processes, "O", token);
    expect(withToken(token)).toHaveLength(2);

    const end = await child.stop(shortGraces);

    expect(end.survivors).toEqual([]);
    expect(withToken(token)).toEqual([]);
    await processes.close();
    expect(existsSync(groupOf(processes.runId))).toBe(false);
  });

  it.each("why" in probe ? ([["cgroup"]] as const) : [])("by a %s says why it cannot be had", () => {
    expect(() => testProcesses({ containment: "cgroup" })).toThrow(
      'containment "cgroup" is not available here: ',
    );
  });
});
