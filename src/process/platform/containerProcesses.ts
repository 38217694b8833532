import { readdirSync, readFileSync } from "node:fs";
import type { ContainerProcesses, ProcessRow } from "./platform.js";

/** Programs that look after one container each (podman's, containerd's); names as long as the kernel keeps them. */
const keeperNames: ReadonlySet<string> = new Set(["conmon", "containerd-shim"]);

/**
 * Linux: whose control group bears the full id of a container, who looks after it (the id is in its command line), and
 * whom that has started. An id of 64 hex digits is met nowhere by chance, so a pid that belongs to another machine's
 * container can never be taken for one of these.
 */
export function containerProcesses(
  ids: readonly string[],
  look: (pid: number) => ProcessRow | undefined,
): ContainerProcesses {
  const long = ids.filter((id) => id.length === 64);
  const inside = new Map<number, ProcessRow>();
  const keepers = new Map<number, ProcessRow>();
  if (long.length === 0) return { inside: [], keepers: [] };
  const rest = new Map<number, ProcessRow>();
  for (const row of rowsOfAll(look)) {
    const file = keeperNames.has(row.name) ? "cmdline" : "cgroup";
    const text = read(`/proc/${row.pid}/${file}`);
    const isTheirs = long.some((id) => text.includes(id));
    if (!isTheirs) rest.set(row.pid, row);
    else if (file === "cmdline") keepers.set(row.pid, row);
    else inside.set(row.pid, row);
  }
  for (let from = -1; from !== inside.size + keepers.size; ) {
    from = inside.size + keepers.size;
    for (const row of rest.values()) {
      // What a keeper starts besides (podman's own clearing up) ends with it.
      const kind = inside.has(row.ppid) ? inside : keepers.has(row.ppid) ? keepers : undefined;
      if (kind === undefined) continue;
      kind.set(row.pid, row);
      rest.delete(row.pid);
    }
  }
  return { inside: [...inside.values()], keepers: [...keepers.values()] };
}

function rowsOfAll(look: (pid: number) => ProcessRow | undefined): readonly ProcessRow[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1)
    .flatMap((pid) => look(pid) ?? [])
    .filter(({ zombie }) => !zombie);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended, or belongs to somebody else.
    return "";
  }
}
