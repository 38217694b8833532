import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type { Clock } from "../clock.js";
import { type Cause, ConnectError } from "../errors.js";
import { type HostSignal, joinHostHooks } from "./hostHooks.js";
import { launch, type Launched } from "./launch.js";
import { type CommandLine, windowsCommandLine, windowsLookup } from "./commandLine.js";
import {
  type Contained,
  type ContainmentChoice,
  createContainment,
  orphanWarning,
  plain,
} from "./containment/containment.js";
import { endContainers } from "./containers/containers.js";
import { type Engine, engineEnv, labelledRun, lifeLabel } from "./containers/engine.js";
import { appendMark, markerName, markText } from "./marker.js";
import { createOwned, type OwnedParts, type OwnedProcess } from "./owned.js";
import { currentPlatform } from "./platform/current.js";
import type { Platform } from "./platform/platform.js";
import { refuseSpawn, type SpawnSubject } from "./spawnCause.js";
import { killNow } from "./tree/killNow.js";
import { createGuard, type GuardedChild } from "./guard/guard.js";
import { reapLeftovers, type ReapReport } from "./guard/reaper.js";
import type { StopTools } from "./tree/stopTree.js";
import { createSweeper } from "./tree/sweep.js";
import { createTree } from "./tree/tree.js";

export interface ProcessesOptions {
  readonly clock: Clock;
  /** State folder; the ledger lives in `<home>/processes`. */
  readonly home: string;
  /** End all children when the host gets SIGINT, SIGTERM or SIGHUP, or exits. */
  readonly handleSignals: boolean;
  /** Asked once, at the first signal of the host; should stop the supervisor. */
  readonly onHostSignal: (signal: HostSignal) => Promise<void>;
  /** How descendants that leave everything behind are held; ConfigError when this system cannot. Default: auto. */
  readonly containment?: ContainmentChoice;
  readonly platform?: Platform;
}

export interface SpawnRequest extends SpawnSubject {
  readonly generation: number;
}

/** A request whose child may be the client of a container engine. */
interface Spawned extends SpawnRequest {
  readonly engine?: Engine;
}

/** The registry of one supervisor: owns every child from the instant of its spawn until nothing of it is left. */
export interface Processes {
  /** 32 hex digits, new for every supervisor. */
  readonly runId: string;
  /** What the host should be told about the place it runs in. */
  readonly warning: string | undefined;
  /** Ends what crashed supervisors left behind; once, and before the first spawn in any case. */
  start(): Promise<ReapReport>;
  /** Starts and owns a child, which is in the ledger by then; rejects with ConnectError. */
  spawn(request: SpawnRequest): Promise<OwnedProcess>;
  /** Every child that is not proven gone, in order of start. */
  owned(): readonly OwnedProcess[];
  /** Undefined before the first child, and where there is no watchdog. */
  watchdogPid(): number | undefined;
  /** Ends everything synchronously, as far as the platform can; nothing can be spawned afterwards. */
  killAllNow(): void;
  /**
   * Ends whatever was not stopped in time and gives back what the registry holds of the host; resolves with what
   * could not be ended, over which the watchdog stays.
   */
  close(): Promise<readonly { readonly id: string; readonly pid: number }[]>;
}

export function createProcesses(options: ProcessesOptions): Processes {
  const { clock } = options;
  const platform = options.platform ?? currentPlatform();
  const isWindows = platform.name === "windows";
  const sweeper = createSweeper(platform);
  const tools = { sweeper, platform, clock };
  const runId = randomBytes(16).toString("hex");
  const containment = createContainment(options.containment ?? "auto", {
    run: runId,
    searchPath: process.env["PATH"],
    pid: process.pid,
  });
  const { cgroups } = containment;
  const guard = createGuard({ home: options.home, run: runId, platform, sweeper, cgroups });
  /** Server ids by child. */
  const children = new Map<OwnedProcess, string>();
  /** A container may be left over that its engine did not tell of: the watchdog and the next start ask again. */
  let uncertain = false;
  let over = false;
  let started: Promise<ReapReport> | undefined;

  const start = (): Promise<ReapReport> => (started ??= reapLeftovers(options.home, tools));
  const markOf = ({ server, generation }: SpawnRequest): string =>
    markText({ run: runId, server, generation });
  const own = (launched: Launched, request: Spawned, contained: Contained): [OwnedProcess, GuardedChild] => {
    const { pid } = launched;
    const { cgroup, wrapped } = contained;
    const root = { pid, start: (isWindows ? undefined : platform.look(pid)?.start) ?? "" };
    const mark = markOf(request);
    const pipes = platform.stdio(pid).filter((name) => /^(?:socket|pipe):\[/.test(name));
    const frail = contained.frail === true ? pid : undefined;
    const kin = { roots: [root], since: root.start, ownGroup: !isWindows };
    const tree = createTree({ ...kin, mark, pipes, cgroup, frail });
    const endOutside = outside(request, mark, tools);
    const owned = createOwned(
      { launched, tree, wrapped, ...(endOutside ? { endOutside } : {}) },
      tools,
      ({ isCertain }) => {
        children.delete(owned);
        cgroup?.remove();
        if (isCertain) guard.gone(root);
        else uncertain = true;
      },
    );
    children.set(owned, request.server);
    return [owned, { ...root, ...nameOf(request), pipes }];
  };
  const killAllNow = (): void => {
    over = true;
    killNow(
      [...children.keys()].map((child) => child.tree),
      tools,
    );
  };
  const leave = options.handleSignals
    ? joinHostHooks({ onHostSignal: options.onHostSignal, killAllNow }, clock)
    : () => {};

  return {
    runId,
    warning: orphanWarning(process.pid, containment),
    start,
    owned: () => [...children.keys()],
    watchdogPid: guard.watchdogPid,
    killAllNow,
    async spawn(wanted) {
      await start();
      const refused = over ? stopped(wanted.server) : refuseSpawn(wanted);
      if (refused !== undefined) throw new ConnectError(refused);
      guard.prepare();
      const { server, generation } = wanted;
      const request = options.containment === "off" ? wanted : labelled(wanted, markOf(wanted));
      const marker = appendMark(process.env[markerName], { run: runId, server, generation });
      const env = { ...request.env, [markerName]: marker };
      const line = isWindows ? windowsLine(request) : { ...request, verbatim: false };
      if ("kind" in line) throw new ConnectError(line);
      const holder = "engine" in request ? plain : containment;
      const contained = holder.contain({ ...request, ...line }, generation);
      const place = request.cwd === undefined ? {} : { cwd: request.cwd };
      const how = { env, detached: !isWindows, verbatim: line.verbatim };
      let owned: OwnedProcess | undefined;
      let written: Promise<void> | undefined;
      await launch({ server, ...contained, ...place, ...how }, (launched) => {
        const [made, child] = own(launched, request, contained);
        owned = made;
        written = guard.add(child);
      });
      if (owned === undefined) throw new Error("a launched child has no owner");
      await written;
      if (over) owned.kill();
      return owned;
    },
    async close() {
      killAllNow();
      const ends = [...children].map(async ([child, id]) =>
        (await child.stop(atOnce)).survivors.map((pid) => ({ id, pid })),
      );
      const left = await Promise.all(ends);
      leave();
      containment.close();
      await guard.close(children.size === 0 && !uncertain);
      return left.flat();
    },
  };
}

/** They have been killed already; a dying process gets its time. */
const atOnce = { eofMs: 0, termMs: 0, killMs: 2000 };

function nameOf({ server, generation, engine }: Spawned): Omit<GuardedChild, "pid" | "start" | "pipes"> {
  return engine === undefined ? { server, generation } : { server, generation, engine };
}

function labelled(request: SpawnRequest, mark: string): Spawned {
  const run = labelledRun(request.command, request.args, mark);
  if (run === undefined) return request;
  const engine = { program: request.command, globals: run.globals, env: engineEnv(request.env) };
  return { ...request, args: run.args, engine };
}

/** Ends what a container engine started for this child. Made here, so that no other child holds on to its environment. */
function outside({ engine, env }: Spawned, mark: string, tools: StopTools): OwnedParts["endOutside"] {
  if (engine === undefined) return undefined;
  return (withinMs) => endContainers({ engine, env, label: lifeLabel(mark), withinMs }, tools);
}

function windowsLine({ server, command, args, env, cwd }: SpawnRequest): CommandLine | Cause {
  // Without a PATH of its own the system goes by ours.
  const hasPath = Object.keys(env).some((name) => name.toUpperCase() === "PATH");
  const named = hasPath ? env : { ...env, PATH: process.env["PATH"] };
  return windowsCommandLine(server, command, args, windowsLookup(named, existsSync, cwd));
}

function stopped(server: string): Cause {
  return { kind: "stopping", message: `server "${server}": not started, the supervisor has stopped` };
}
