import { execFile } from "node:child_process";
import { basename } from "node:path";
import type { Clock } from "../../clock.js";
import type { Platform } from "../platform/platform.js";
import type { Engine } from "./engine.js";

/** Which containers to end, and how long that may take. */
export interface ContainerSearch {
  readonly engine: Engine;
  /** The environment that the client is run with. */
  readonly env: NodeJS.ProcessEnv;
  readonly label: string;
  readonly withinMs: number;
}

export interface ContainersEnd {
  /** False when the engine did not answer in time, or still shows containers that it could not remove. */
  readonly answered: boolean;
  /** Processes of the containers, and who looks after them, that are still there. */
  readonly survivors: readonly number[];
}

const pollMs = 25;
const againMs = 100;
/** Who looks after a container has this long to clear up behind it before we end it, too. */
const keeperMs = 1000;

/**
 * Ends and removes the containers with this label: kills them first, because an engine's own way of removing gives them
 * ten seconds. What counts is not that the engine's list is empty (podman's is before the processes are gone) but that no
 * process of theirs is left on this machine; who is left is killed by us. Never rejects.
 */
export async function endContainers(
  search: ContainerSearch,
  tools: { readonly platform: Platform; readonly clock: Clock },
): Promise<ContainersEnd> {
  const { clock } = tools;
  const deadline = clock.now() + search.withinMs;
  const ask = (args: readonly string[]) => answerOf(search, args, Math.max(1, deadline - clock.now()));
  const ids = await list(ask, search.label);
  if (ids === undefined) return { answered: false, survivors: [] };
  if (ids.length === 0) return { answered: true, survivors: [] };
  const halfway = (clock.now() + deadline) / 2;
  const removed = kill(ask, ids).then(async () => {
    while (!(await remove(ask, search, ids))) {
      // podman does not remove a container whose process is dead and not yet collected.
      if (clock.now() >= deadline) return false;
      await pause(againMs, clock);
    }
    return true;
  });
  const survivors = await processesGone(ids, removed, { halfway, deadline }, tools);
  return { answered: await removed, survivors };
}

type Ask = (args: readonly string[]) => Promise<string | undefined>;

/** Ids in full; undefined when the engine could not be asked. */
async function list(ask: Ask, label: string): Promise<readonly string[] | undefined> {
  const answer = await ask(["ps", "--all", "--quiet", "--no-trunc", "--filter", `label=${label}`]);
  return answer?.split(/\s+/).filter((id) => /^[0-9a-f]{12,}$/.test(id));
}

/** Refused for those that do not run (any more); whether they are gone is seen by what follows. */
async function kill(ask: Ask, ids: readonly string[]): Promise<void> {
  await ask(["kill", "--signal", "KILL", ...ids]);
}

async function remove(
  ask: Ask,
  { engine, label }: ContainerSearch,
  ids: readonly string[],
): Promise<boolean> {
  if ((await ask(["rm", "--force", ...atOnce(engine.program), ...ids])) !== undefined) return true;
  // One that its engine removes by itself at this moment (`--rm`) makes that an error.
  return (await list(ask, label))?.length === 0;
}

/** podman waits ten seconds for what it has not noticed to be dead; the others have no such time and no such option. */
function atOnce(program: string): readonly string[] {
  return basename(program).startsWith("podman") ? ["--time", "0"] : [];
}

/**
 * Waits until no process of these containers is left. Who is still there when the engine has answered, or halfway when
 * it does not, is killed; who looks after it a second later, when nothing else is left to clear up.
 */
async function processesGone(
  ids: readonly string[],
  removed: Promise<unknown>,
  { halfway, deadline }: { readonly halfway: number; readonly deadline: number },
  { platform, clock }: { readonly platform: Platform; readonly clock: Clock },
): Promise<readonly number[]> {
  let ended: number | undefined;
  void removed.then(() => (ended = clock.now()));
  for (;;) {
    const now = clock.now();
    const { inside, keepers } = platform.containerProcesses(ids);
    if (inside.length + keepers.length === 0) return [];
    if (now >= deadline) return [...inside, ...keepers].map(({ pid }) => pid);
    const since = ended ?? (now >= halfway ? halfway : undefined);
    if (since !== undefined) for (const { pid } of inside) platform.signal(pid, "SIGKILL");
    if (since !== undefined && now - since >= keeperMs) {
      for (const { pid } of keepers) platform.signal(pid, "SIGKILL");
    }
    await pause(pollMs, clock);
  }
}

function pause(ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.setTimeout(resolve, ms));
}

function answerOf(
  { engine, env }: ContainerSearch,
  args: readonly string[],
  timeout: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env, timeout, killSignal: "SIGKILL", windowsHide: true } as const;
    execFile(engine.program, [...engine.globals, ...args], options, (error, stdout) => {
      // A client that is not there any more runs nothing.
      if (error === null || error.code === "ENOENT") resolve(stdout);
      else resolve(undefined);
    });
  });
}
