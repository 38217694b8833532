import { accessSync, constants, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "./cgroup.js";

/** A folder below which this process may make control groups that can be frozen. */
export interface CgroupPlace {
  readonly folder: string;
  readonly version: 1 | 2;
}

type Answer = CgroupPlace | { readonly why: string };

let known: Answer | undefined;

/** Where this process may make control groups without asking anybody, or why nowhere. Judged once per process. */
export function cgroupPlace(): Answer {
  return (known ??= findPlace());
}

/** Version 2 as it was delegated to us, else the freezer of version 1. */
function findPlace(): Answer {
  if (process.platform !== "linux") return { why: "control groups are Linux's" };
  const tried = ([2, 1] as const).map(tryVersion);
  return tried.find((each) => "folder" in each) ?? tried[0]!;
}

/** The same for one version; not remembered. */
export function tryVersion(version: 1 | 2): Answer {
  const folder = ownFolder(version);
  if (folder === undefined) return { why: `no cgroup v${version} is mounted` };
  const trial = join(folder, `mcpvisor-look-${process.pid}`);
  try {
    mkdirSync(trial);
    try {
      const needed = version === 2 ? ["cgroup.kill", "cgroup.freeze"] : ["freezer.state"];
      for (const file of needed) accessSync(join(trial, file), constants.W_OK);
      // Whoever moves a process writes there, too.
      accessSync(join(folder, "cgroup.procs"), constants.W_OK);
    } finally {
      rmdirSync(trial);
    }
    return { folder, version };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    return { why: `no control group can be made in ${folder} (${code})` };
  }
}

/** The group this process is in, as a folder; what is mounted may begin further down than the root of all groups. */
function ownFolder(version: 1 | 2): string | undefined {
  const mounted = version === 2 ? / - cgroup2 / : / - cgroup \S+ \S*\bfreezer\b/;
  const listed = version === 2 ? /^0::/ : /^\d+:(?:\S+,)?freezer(?:,[^:]+)?:/;
  const mount = readLines("/proc/self/mountinfo").find((line) => mounted.test(line));
  const own = readLines("/proc/self/cgroup")
    .find((line) => listed.test(line))
    ?.replace(listed, "");
  const [, , , root, point] = mount?.split(" ") ?? [];
  if (root === undefined || point === undefined || own === undefined) return undefined;
  return join(point, root !== "/" && own.startsWith(root) ? own.slice(root.length) : own);
}
