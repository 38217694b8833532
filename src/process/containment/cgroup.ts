import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { signalProcess } from "../platform/signals.js";

/**
 * A control group of one child, or of all children of a run: whoever is born in it stays in it, whatever it does to
 * its session and pipes.
 */
export interface Cgroup {
  readonly path: string;
  /** Everybody in it and in the groups below it. */
  members(): readonly number[];
  /** Nobody in it runs or forks any more until it is killed or thawed. */
  freeze(): void;
  /** Kills everybody in it but those who are to be spared, who are moved out of it; thaws it. */
  kill(spared: Iterable<number>): void;
  /** Removes it with the groups below it; false when there is still somebody in it. */
  remove(): boolean;
}

/** How often a freezer is asked whether it is done: it is asked again with the next look. */
const freezeReads = 50;

/** Folder of the control groups of a run; it exists from its first child on. */
export function runFolder(place: string, run: string): string {
  return join(place, `mcpvisor-${run}`);
}

/** Makes the control group of one child. Throws what the file system throws. */
export function createCgroup(base: string, name: string): Cgroup {
  const path = join(base, name);
  mkdirSync(path, { recursive: true });
  return openCgroup(path, dirname(base));
}

/** A control group that is there already; `outside` is where spared members go. */
export function openCgroup(path: string, outside: string): Cgroup {
  const isOld = existsSync(join(path, "freezer.state"));
  const write = (file: string, text: string): void => quietly(() => writeFileSync(join(path, file), text));
  const members = (): readonly number[] => below(path).flatMap((folder) => pidsIn(folder));
  return {
    path,
    members,
    freeze() {
      if (!isOld) return write("cgroup.freeze", "1");
      write("freezer.state", "FROZEN");
      for (let read = 0; read < freezeReads; read++) {
        if (readLines(join(path, "freezer.state"))[0] === "FROZEN") break;
      }
    },
    kill(spared) {
      const inside = new Set(members());
      for (const pid of spared) {
        if (inside.has(pid)) quietly(() => writeFileSync(join(outside, "cgroup.procs"), String(pid)));
      }
      if (isOld) for (const pid of members()) signalProcess(pid, "SIGKILL");
      else write("cgroup.kill", "1");
      write(isOld ? "freezer.state" : "cgroup.freeze", isOld ? "THAWED" : "0");
    },
    remove() {
      for (const folder of below(path).toReversed()) quietly(() => rmdirSync(folder));
      return !existsSync(path);
    },
  };
}

/** The folder and all below it, from the top down. */
function below(path: string): readonly string[] {
  try {
    const inner = readdirSync(path, { withFileTypes: true }).filter((each) => each.isDirectory());
    return [path, ...inner.flatMap(({ name }) => below(join(path, name)))];
  } catch {
    // Gone in between, or never made.
    return [];
  }
}

function pidsIn(folder: string): readonly number[] {
  return readLines(join(folder, "cgroup.procs")).map(Number);
}

export function readLines(path: string): readonly string[] {
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
