import { dirname } from "node:path";
import { openCgroup } from "../containment/cgroup.js";
import { endContainers } from "../containers/containers.js";
import { type Engine, engineWord, runLabel } from "../containers/engine.js";
import type { Identity } from "../platform/platform.js";
import { stopTree, type StopTools } from "../tree/stopTree.js";
import { createTree } from "../tree/tree.js";

/** What is known of a run whose supervisor is dead. */
export interface DeadRun {
  readonly run: string;
  /** When its supervisor began: nothing of it is older. */
  readonly since: string;
  /** Children that are certainly still themselves. */
  readonly roots: readonly Identity[];
  readonly pipes: readonly string[];
  /** Folder of its control groups, where it had any. */
  readonly cgroups: string | undefined;
  /** Container engines that it used. */
  readonly engines: readonly Engine[];
}

export interface RunEnd {
  /** Processes that were found of it. */
  readonly found: readonly number[];
  readonly survivors: readonly number[];
  /** False when a container engine did not answer: there may be containers that nobody can see from here. */
  readonly isCertain: boolean;
}

/** Nobody waits for this, and an engine may have a machine to start first. */
const enginesMs = 20_000;

const graces = { eofMs: 0, termMs: 300, killMs: 3000 };

/**
 * Ends all that a dead run has left: processes as one tree, control groups, containers. The watchdog does so at once,
 * the reaper at the next start. `patient`: two seconds of nothing even if the first look finds nobody.
 */
export async function endRun(dead: DeadRun, tools: StopTools, patient: boolean): Promise<RunEnd> {
  const { run, since, roots, pipes, cgroups } = dead;
  const cgroup = cgroups === undefined ? undefined : openCgroup(cgroups, dirname(cgroups));
  const tree = createTree({ roots, mark: `${run}.`, since, pipes, ownGroup: true, cgroup });
  const { members } = await tools.sweeper.sweep(tree, false);
  const { survivors } = await stopTree(
    {
      tree,
      exited: Promise.resolve(),
      closeInput: () => {},
      patient: patient || members.length > 0,
    },
    graces,
    tools,
  );
  const label = runLabel(run);
  const engines = new Map(dead.engines.map((engine) => [engineWord(engine), engine]));
  const ends = await Promise.all(
    [...engines.values()].map((engine) =>
      endContainers({ engine, label, env: { ...process.env, ...engine.env }, withinMs: enginesMs }, tools),
    ),
  );
  cgroup?.remove();
  return {
    found: members.map(({ pid }) => pid),
    survivors: [...survivors, ...ends.flatMap((end) => end.survivors)],
    isCertain: ends.every(({ answered }) => answered),
  };
}
