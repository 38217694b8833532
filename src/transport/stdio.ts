import type { Clock } from "../clock.js";
import type { Limits, StdioTarget } from "../spec.js";
import { type Cause, ConnectError } from "../errors.js";
import type { OwnedProcess } from "../process/owned.js";
import type { ProcessExit } from "../process/platform/platform.js";
import type { Processes } from "../process/processes.js";
import type { Graces } from "../process/tree/stopTree.js";
import { exitCause } from "./exitCause.js";
import { createInbox } from "./inbox.js";
import { takeLeftover } from "./leftover.js";
import { createOutbox, type Outbox } from "./outbox.js";
import { createTail } from "./tail.js";
import type { Tail } from "./tail.js";
import type { Transport, TransportEnd, TransportHandlers } from "./transport.js";
import { refuseWorkdir } from "./workdir.js";

export interface StdioOptions {
  readonly id: string;
  readonly generation: number;
  readonly target: StdioTarget;
  /** The child's whole environment, but for our run marker. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly shutdown: Graces;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Gets what it writes to stderr, chunk by chunk. */
  readonly onStderr?: ((chunk: Buffer) => void) | undefined;
}

/** After the exit: what is still in the pipe may hold an answer, but a helper may hold the pipe for ever. */
const drainMs = 200;
/** What a dead process wrote is in the pipe already: when nothing has come for so long, nothing will. */
const quietMs = 40;
/** A closed pipe is mostly the first sign of an exit, whose code tells more. */
const exitSoonMs = 100;

/** MCP over the pipes of a child process (stdio transport). The child's `exit` ends it, never a stream's `close`. */
export function createStdioTransport(options: StdioOptions): Transport {
  const { id, clock, limits, target, generation, shutdown, processes } = options;
  // The copy of an environment is for the spawn alone: thousands of bytes for each server otherwise.
  let env: StdioOptions["env"] | undefined = options.env;
  const tail = createTail({ lines: limits.stderrLines, bytes: limits.stderrBytes });
  let opening: Promise<void> | undefined;
  let child: OwnedProcess | undefined;
  let connection: Connection | undefined;
  let closing = false;

  const begin = async (handlers: TransportHandlers): Promise<void> => {
    const { command, args, cwd } = target;
    const place = cwd === undefined ? {} : { cwd };
    const badPlace = await refuseWorkdir(id, cwd);
    if (badPlace !== undefined) throw new ConnectError(badPlace);
    if (closing) throw new ConnectError(closedWhileOpening(id));
    const starting = processes.spawn({ server: id, generation, command, args, env: env ?? {}, ...place });
    env = undefined;
    child = await starting;
    if (closing) throw new ConnectError(closedWhileOpening(id));
    connection = attach(child, handlers);
  };
  const attach = (owned: OwnedProcess, handlers: TransportHandlers): Connection => {
    const said = (chunk: Buffer): void => {
      tail.push(chunk);
      options.onStderr?.(chunk);
    };
    owned.stderr.on("data", said);
    for (const chunk of owned.takeEarly()) said(chunk);
    return connect({ id, limits, clock, owned, handlers, tail, isClosing: () => closing });
  };

  return {
    kind: "stdio",
    pids: () => child?.pids() ?? [],
    stderrTail: tail.lines,
    open(handlers) {
      opening ??= begin(handlers);
      return opening;
    },
    send: (text, about) => connection?.send(text, about.id) ?? notOpen(id),
    deliveredUpTo: () => connection?.outbox.delivered() ?? 0,
    abandon() {},
    agreed() {},
    listen() {},
    async close(): Promise<TransportEnd> {
      closing = true;
      // A child that is being started right now is ours, too; why it could not be is told by open().
      await opening?.catch(() => {});
      return child === undefined ? nothing : await child.stop(shutdown);
    },
    kill() {
      closing = true;
      child?.kill();
    },
  };
}

const nothing: TransportEnd = { survivors: [], forced: false, ms: 0 };

interface Connection {
  readonly outbox: Outbox;
  send(text: string, id: string | number | undefined): number | Cause;
}

interface ConnectionParts {
  readonly id: string;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly owned: OwnedProcess;
  readonly handlers: TransportHandlers;
  /** What it says on stderr. */
  readonly tail: Tail;
  readonly isClosing: () => boolean;
}

function connect(parts: ConnectionParts): Connection {
  const { id, limits, clock, owned, handlers } = parts;
  const { messageBytes, depth } = limits;
  const inbox = createInbox({ id, messageBytes, depth, onEndless: (message) => endless(message) }, handlers);
  let ended: Cause | undefined;
  let exited = false;

  const finish = (cause: Cause): void => {
    if (ended !== undefined) return;
    ended = cause;
    inbox.end();
    const unwritten = outbox.close();
    for (const request of unwritten) handlers.onLost(request, { sent: "no", cause });
    handlers.onClosed(cause);
  };
  const afterExit = async (exit: ProcessExit): Promise<void> => {
    exited = true;
    if (!takeLeftover(owned.stdout, (chunk) => inbox.push(chunk))) await drained(owned, clock);
    takeLeftover(owned.stderr, (chunk) => parts.tail.push(chunk));
    for (const stream of [owned.stdin, owned.stdout, owned.stderr]) stream.destroy();
    finish(exitCause({ ...exit, id, stderrTail: parts.tail.lines(), requested: parts.isClosing() }));
  };
  const endless = (what: string): void =>
    finish({ kind: "unhealthy", message: `server "${id}" ${what}`, stderrTail: parts.tail.lines() });
  const unlessExited = (kind: "stdin-closed" | "stdout-closed", message: string): void => {
    clock.setTimeout(() => {
      if (!exited) finish({ kind, message: `server "${id}" ${message}`, stderrTail: parts.tail.lines() });
    }, exitSoonMs);
  };
  const outbox = createOutbox({
    stream: owned.stdin,
    unsentBytes: limits.unsentBytes,
    onBroken: () => unlessExited("stdin-closed", "closed its stdin while it is still running"),
  });

  owned.stdout.on("data", (chunk: Buffer) => {
    if (ended === undefined) inbox.push(chunk);
  });
  owned.stdout.once("end", () =>
    unlessExited("stdout-closed", "closed its stdout while it is still running"),
  );
  void owned.exit.then(afterExit);

  return {
    outbox,
    send(text, request) {
      if (ended !== undefined) return ended;
      return outbox.add(text, request) ?? unread(id, outbox.unsent(), limits.unsentBytes);
    },
  };
}

/** Resolves when stdout, which somebody else still holds, has given everything: at its end, or once it is quiet. */
function drained({ stdout }: OwnedProcess, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clock.clearTimeout(quiet);
      clock.clearTimeout(limit);
      stdout.off("data", goOn);
      resolve();
    };
    const goOn = (): void => {
      clock.clearTimeout(quiet);
      quiet = clock.setTimeout(finish, quietMs);
    };
    const limit = clock.setTimeout(finish, drainMs);
    let quiet = clock.setTimeout(finish, quietMs);
    stdout.on("data", goOn);
    stdout.once("close", finish);
  });
}

function unread(id: string, waiting: number, limit: number): Cause {
  return {
    kind: "stdin-closed",
    message: `server "${id}" does not read its input: ${waiting} bytes wait, and this message would go over the limit of ${limit} bytes (limits.unsentBytes)`,
  };
}

function notOpen(id: string): Cause {
  return { kind: "stdin-closed", message: `server "${id}" has no open connection` };
}

function closedWhileOpening(id: string): Cause {
  return { kind: "requested", message: `server "${id}" was stopped while it was starting` };
}
