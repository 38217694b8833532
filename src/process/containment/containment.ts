import { ConfigError, ConnectError } from "../../errors.js";
import { type Cgroup, createCgroup, openCgroup, runFolder } from "./cgroup.js";
import { cgroupPlace } from "./cgroupPlace.js";
import { inNamespace, namespaces } from "./namespace.js";
import type { SpawnSubject } from "../spawnCause.js";
import { which } from "../which.js";

export type ContainmentChoice = "auto" | "off" | "subreaper" | "cgroup" | "namespace";

/** What is really started for a child, and what holds its descendants. */
export interface Contained {
  readonly command: string;
  readonly args: readonly string[];
  readonly cgroup?: Cgroup;
  /** A wrapper stands between: it reports a death by signal as 128 + the signal. */
  readonly wrapped: boolean;
  /** The wrapper dies of a polite signal and takes the server with it at once: only the kill is for it. */
  readonly frail?: boolean;
}

export interface Containment {
  readonly kind: "off" | "subreaper" | "cgroup" | "namespace";
  /** Folder of the control groups of all children. */
  readonly cgroups?: string;
  contain(subject: SpawnSubject, generation: number): Contained;
  /** Gives back what was made for all children. */
  close(): void;
}

export interface ContainmentHost {
  readonly run: string;
  readonly searchPath: string | undefined;
  readonly pid: number;
}

/**
 * How descendants that leave session, parent and pipes are still held. `auto` is control groups where they can be had
 * without asking, else tini as a subreaper where it is on PATH, else nothing; never a namespace, in which programs see
 * and may do less than outside. A choice that this system cannot keep is a ConfigError, never ignored.
 */
export function createContainment(choice: ContainmentChoice, host: ContainmentHost): Containment {
  switch (choice) {
    case "off":
      return plain;
    case "auto":
      return automatic(host);
    case "subreaper": {
      const tini = findTini(host);
      if (tini !== undefined) return subreaper(tini);
      throw unavailable(choice, "the program tini was not found on PATH");
    }
    case "cgroup": {
      const place = cgroupPlace();
      if ("folder" in place) return cgroups(runFolder(place.folder, host.run), true);
      throw unavailable(choice, place.why);
    }
    case "namespace": {
      const found = namespaces(host.searchPath);
      if ("bwrap" in found) return namespace(found.bwrap);
      throw unavailable(choice, found.why);
    }
  }
}

/** Process 1 of a container needs somebody who collects its zombies before anything else. */
function automatic(host: ContainmentHost): Containment {
  const tini = findTini(host);
  if (host.pid === 1 && tini !== undefined) return subreaper(tini);
  const place = cgroupPlace();
  if ("folder" in place) return cgroups(runFolder(place.folder, host.run), false);
  return tini === undefined ? plain : subreaper(tini);
}

function findTini({ searchPath }: ContainmentHost): string | undefined {
  return process.platform === "linux" ? which("tini", searchPath) : undefined;
}

/** One way to hold descendants, and whether this system has it. */
export interface ContainmentFact {
  readonly choice: "subreaper" | "cgroup" | "namespace";
  readonly available: boolean;
  /** `auto` takes it here. */
  readonly auto: boolean;
  readonly why?: string;
}

/** What `createContainment` would be able to keep here; leaves nothing behind. */
export function containmentsHere(searchPath: string | undefined): readonly ContainmentFact[] {
  const host = { run: `look-${process.pid}`, searchPath, pid: process.pid };
  const chosen = createContainment("auto", host).kind;
  return (["cgroup", "subreaper", "namespace"] as const).map((choice) => {
    const auto = chosen === choice;
    try {
      createContainment(choice, host).close();
      return { choice, available: true, auto };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { choice, available: false, auto, why: error.message };
    }
  });
}

/** What a host should be told about the place it runs in; undefined when all is well. */
export function orphanWarning(pid: number, { kind }: Pick<Containment, "kind">): string | undefined {
  if (pid !== 1 || kind === "subreaper" || kind === "namespace") return undefined;
  return (
    "this program is process 1 of its container, so that whatever servers leave behind becomes its zombies, which " +
    "it never collects: start the container with an init (docker run --init) or put tini on PATH"
  );
}

/**
 * Holds nobody. Also for the client of a container engine: what it starts besides (podman's conmon, the pause process of
 * all of a user's containers) must outlive it to clear up, and its containers are found otherwise.
 */
export const plain: Containment = {
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

function namespace(bwrap: string): Containment {
  return {
    kind: "namespace",
    contain(subject) {
      if (!isFound(subject)) return plain.contain(subject, 0);
      const args = inNamespace(subject.command, subject.args);
      return { command: bwrap, args, wrapped: true, frail: true };
    },
    close: () => {},
  };
}

/** What a shell adds to the environment of its own accord. */
const shellNames = ["PWD", "OLDPWD", "SHLVL"];

/**
 * A child enters its control group before it becomes the server: no descendant can be outside. Where the choice was not
 * asked for (`strict`), a group that refuses it must not keep it from running.
 */
function cgroups(base: string, strict: boolean): Containment {
  return {
    kind: "cgroup",
    cgroups: base,
    contain(subject, generation) {
      if (!isFound(subject)) return plain.contain(subject, 0);
      const cgroup = makeGroup(base, subject.server, generation, strict);
      if (cgroup === undefined) return plain.contain(subject, 0);
      const enter = `echo $$ >"$0/cgroup.procs"${strict ? " || exit 1" : ""}`;
      const added = shellNames.filter((name) => !(name in subject.env)).join(" ");
      const script = `{ ${enter}; } 2>/dev/null; unset ${added || "_"}; exec "$@"`;
      const args = ["-c", script, cgroup.path, subject.command, ...subject.args];
      return { command: "/bin/sh", args, cgroup, wrapped: false };
    },
    close: () => void openCgroup(base, base).remove(),
  };
}

function makeGroup(base: string, server: string, generation: number, strict: boolean): Cgroup | undefined {
  try {
    return createCgroup(base, `${server}.${generation}`);
  } catch (error) {
    // Taken away since we looked: a child for which nobody asked for it runs without.
    if (!strict) return undefined;
    const message = `server "${server}": no control group could be made in ${base}; choose another containment`;
    throw new ConnectError({ kind: "spawn-invalid", message }, { cause: error });
  }
}

function isFound({ command, env, cwd }: SpawnSubject): boolean {
  return which(command, env["PATH"], cwd) !== undefined;
}

function unavailable(choice: string, why: string): ConfigError {
  const message = `containment "${choice}" is not available here: ${why}; choose "auto" or "off", or install it`;
  return new ConfigError(message, [{ severity: "error", message, path: "containment" }]);
}
