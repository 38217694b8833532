import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** A control group of one child: whoever is born in it stays in it, whatever it does to its session and pipes. */
export interface Cgroup {
  readonly path: string;
  members(): readonly number[];
  /** The kernel kills everybody in it at once (cgroup.kill, Linux 5.14). */
  kill(): void;
  remove(): void;
}

/** The folder in which this process may make control groups (cgroup v2), or why it may not. */
export function cgroupBase(run: string): { readonly base: string } | { readonly why: string } {
  const mount = readLines("/proc/self/mountinfo")
    .find((line) => / - cgroup2 /.test(line))
    ?.split(" ")[4];
  const own = readLines("/proc/self/cgroup")
    .find((line) => line.startsWith("0::"))
    ?.slice(3);
  if (mount === undefined || own === undefined) return { why: "no cgroup v2 is mounted" };
  const base = join(mount, own, `mcpvisor-${run}`);
  try {
    mkdirSync(base);
    accessSync(join(base, "cgroup.kill"), constants.W_OK);
    return { base };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    return { why: `no control group can be made in ${join(mount, own)} (${code})` };
  }
}

/** Makes the control group of one child. Throws what the file system throws. */
export function createCgroup(base: string, name: string): Cgroup {
  const path = join(base, name);
  mkdirSync(path, { recursive: true });
  return {
    path,
    members: () => readLines(join(path, "cgroup.procs")).map(Number),
    kill: () => quietly(() => writeFileSync(join(path, "cgroup.kill"), "1")),
    remove: () => quietly(() => rmdirSync(path)),
  };
}

/**
 * Kills everybody in the control groups of a run that is over and removes them; false when somebody is left after
 * `looks` looks. `pause` waits between them.
 */
export async function emptyCgroups(
  base: string,
  looks: number,
  pause: () => Promise<void>,
): Promise<boolean> {
  for (let look = 0; look < looks && existsSync(base); look++) {
    if (look > 0) await pause();
    for (const name of foldersIn(base)) {
      quietly(() => writeFileSync(join(base, name, "cgroup.kill"), "1"));
      quietly(() => rmdirSync(join(base, name)));
    }
    removeCgroupBase(base);
  }
  return !existsSync(base);
}

/** Removes the folder of a run; it must be empty. */
export function removeCgroupBase(base: string): void {
  quietly(() => rmdirSync(base));
}

function foldersIn(base: string): readonly string[] {
  try {
    return readdirSync(base, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => name);
  } catch {
    // Gone in between.
    return [];
  }
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    // No such thing on this system, or gone already.
    return [];
  }
}

function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // Gone already, or a zombie is still in it: an empty control group costs nothing and the system drops it at boot.
  }
}
