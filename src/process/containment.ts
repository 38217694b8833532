import { ConfigError } from "../errors.js";
import { type Cgroup, cgroupBase, createCgroup, removeCgroupBase } from "./cgroup.js";
import type { SpawnSubject } from "./spawnCause.js";
import { which } from "./which.js";

export type ContainmentChoice = "auto" | "off" | "subreaper" | "cgroup";

/** What is really started for a child, and what holds its descendants. */
export interface Contained {
  readonly command: string;
  readonly args: readonly string[];
  readonly cgroup?: Cgroup;
  /** A wrapper stands between: it reports a death by signal as 128 + the signal. */
  readonly wrapped: boolean;
}

export interface Containment {
  readonly kind: "off" | "subreaper" | "cgroup";
  /** Folder of the control groups of all children. */
  readonly cgroups?: string;
  contain(subject: SpawnSubject, generation: number): Contained;
  /** Gives back what was made for all children. */
  close(): void;
}

/**
 * How descendants that leave session, parent and pipes are still held. `auto` is tini as a subreaper where it is on
 * PATH, else nothing; a choice that this system cannot keep is a ConfigError, never ignored.
 */
export function createContainment(choice: ContainmentChoice, run: string, searchPath?: string): Containment {
  switch (choice) {
    case "off":
      return plain;
    case "auto":
    case "subreaper": {
      const tini = process.platform === "linux" ? which("tini", searchPath) : undefined;
      if (tini !== undefined) return subreaper(tini);
      if (choice === "auto") return plain;
      throw unavailable(choice, "the program tini was not found on PATH");
    }
    case "cgroup": {
      const found = cgroupBase(run);
      if ("base" in found) return cgroups(found.base);
      throw unavailable(choice, found.why);
    }
  }
}

/** One way to hold descendants, and whether this system has it. */
export interface ContainmentFact {
  readonly choice: "subreaper" | "cgroup";
  readonly available: boolean;
  readonly why?: string;
}

/** What `createContainment` would be able to keep here; leaves nothing behind. */
export function containmentsHere(searchPath: string | undefined): readonly ContainmentFact[] {
  return (["subreaper", "cgroup"] as const).map((choice) => {
    try {
      createContainment(choice, `look-${process.pid}`, searchPath).close();
      return { choice, available: true };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { choice, available: false, why: error.message };
    }
  });
}

/** What a host should be told about the place it runs in; undefined when all is well. */
export function orphanWarning(pid: number, { kind }: Pick<Containment, "kind">): string | undefined {
  if (pid !== 1 || kind === "subreaper") return undefined;
  return (
    "this program is process 1 of its container, so that whatever servers leave behind becomes its zombies, which " +
    "it never collects: start the container with an init (docker run --init) or put tini on PATH"
  );
}

const plain: Containment = {
  kind: "off",
  contain: ({ command, args }) => ({ command, args, wrapped: false }),
  close: () => {},
};

function subreaper(tini: string): Containment {
  return {
    kind: "subreaper",
    contain(subject) {
      // A command that is not there must fail as such, not as an exit of the wrapper.
      if (!isFound(subject)) return plain.contain(subject, 0);
      const args = ["-s", "--", subject.command, ...subject.args];
      return { command: tini, args, wrapped: true };
    },
    close: () => {},
  };
}

/** Enters its control group before it becomes the server: no descendant can be outside. */
const enter = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

function cgroups(base: string): Containment {
  return {
    kind: "cgroup",
    cgroups: base,
    contain(subject, generation) {
      if (!isFound(subject)) return plain.contain(subject, 0);
      const cgroup = createCgroup(base, `${subject.server}.${generation}`);
      const args = ["-c", enter, cgroup.path, subject.command, ...subject.args];
      return { command: "/bin/sh", args, cgroup, wrapped: false };
    },
    close: () => removeCgroupBase(base),
  };
}

function isFound({ command, env, cwd }: SpawnSubject): boolean {
  return which(command, env["PATH"], cwd) !== undefined;
}

function unavailable(choice: string, why: string): ConfigError {
  const message = `containment "${choice}" is not available here: ${why}; choose "auto" or "off", or install it`;
  return new ConfigError(message, [{ severity: "error", message, path: "containment" }]);
}
