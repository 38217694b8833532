import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { ContainersEnd } from "./containers/containers.js";
import type { Launched } from "./launch.js";
import type { ProcessExit } from "./platform/platform.js";
import { killNow } from "./tree/killNow.js";
import { type Graces, stopTree, type StopTools, type TreeEnd } from "./tree/stopTree.js";
import type { Tree } from "./tree/tree.js";

const mostEarly = 65_536;

/** An engine takes some 100 ms for an answer, and more on a busy machine. */
const leastOutsideMs = 2000;

/** A child that somebody answers for, with everything that descends from it. */
export interface OwnedProcess {
  readonly pid: number;
  readonly tree: Tree;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What it has said on stderr up to now, once: whoever listens from now on hears the rest. At most 64 KiB. */
  takeEarly(): readonly Buffer[];
  /** Resolves when the child has exited, whoever may still hold its pipes. */
  readonly exit: Promise<ProcessExit>;
  /** Process ids known to be of this tree, the child first. */
  pids(): readonly number[];
  /** Ends the whole tree; a second call joins the first and can only shorten it. */
  stop(graces: Graces): Promise<TreeEnd>;
  /** Kills the whole tree without waiting. */
  kill(): void;
}

export interface OwnedParts {
  readonly launched: Launched;
  readonly tree: Tree;
  /** A wrapper reports a death by signal as an exit code of 128 + the signal. */
  readonly wrapped: boolean;
  /** Ends what the child has started outside of its tree (a container), within this time; never rejects. */
  readonly endOutside?: (withinMs: number) => Promise<ContainersEnd>;
}

export function createOwned(
  { launched, tree, wrapped, endOutside }: OwnedParts,
  tools: StopTools,
  /** Nothing of it is left; not certain where its container engine did not answer. */
  onGone: (end: { readonly isCertain: boolean }) => void,
): OwnedProcess {
  const { stdin, stdout, stderr, child } = launched;
  // A pipe may break at any time; whoever uses it sees that by its own means.
  for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {});
  const exit = new Promise<ProcessExit>((resolve) => {
    const tell = (end: ProcessExit): void => {
      tree.rootExited = true;
      resolve(wrapped ? unwrap(end) : end);
    };
    child.once("exit", (code, signal) => tell({ code, signal }));
    // Node tells of an exit after everything else that a turn of the loop brings, which is long when many servers talk.
    stdout.once("end", () => {
      const end = tools.platform.exitOf(launched.pid);
      if (end !== undefined) tell(end);
    });
  });
  const early = keepEarly(stderr);
  let stopping: Promise<TreeEnd> | undefined;
  const end = async (graces: Graces): Promise<TreeEnd> => {
    const begun = tools.clock.now();
    const inside = await stopTree({ tree, exited: exit, closeInput: () => stdin.end() }, graces, tools);
    const whole = graces.eofMs + graces.termMs + graces.killMs;
    const outside = await endOutside?.(Math.max(leastOutsideMs, whole - inside.ms));
    const survivors = [...inside.survivors, ...(outside?.survivors ?? [])];
    const ended = { ...inside, survivors, ms: tools.clock.now() - begun };
    if (ended.survivors.length === 0) onGone({ isCertain: outside?.answered ?? true });
    else stopping = undefined;
    return ended;
  };

  return {
    pid: launched.pid,
    tree,
    stdin,
    stdout,
    stderr,
    takeEarly: early,
    exit,
    pids: () => [launched.pid, ...[...tree.known.keys()].filter((pid) => pid !== launched.pid)],
    stop(graces) {
      stopping ??= end(graces);
      return stopping;
    },
    kill() {
      killNow([tree], tools);
    },
  };
}

/** Node throws away what nobody reads as soon as the child has exited: the last words of one that ends at once. */
function keepEarly(stream: Readable): () => Buffer[] {
  let kept: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer): void => {
    if (size >= mostEarly) return;
    size += chunk.length;
    kept.push(chunk);
  };
  stream.on("data", keep);
  return () => {
    const taken = kept;
    kept = [];
    stream.off("data", keep);
    return taken;
  };
}

function unwrap({ code, signal }: ProcessExit): ProcessExit {
  const behind = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  return behind === undefined ? { code, signal } : { code: null, signal: behind as NodeJS.Signals };
}
