import type { Cause } from "../errors.js";
import type { RequestId } from "../protocol/jsonrpc.js";
import type { Envelope, Loss, Transport, TransportHandlers } from "./transport.js";

/** The server's end of a memory pair: scriptable by tests, or wired to a server in this process. */
export interface MemoryServer {
  /** Called with every parsed message of the client, in order, never in the turn it was sent in. */
  onMessage: (message: unknown, about: Envelope) => void;
  /** Sends one value to the client, as JSON would carry it. */
  send(message: unknown): void;
  /** Ends the connection from the server's side. */
  close(cause: Cause): void;
  lose(id: RequestId, loss: Loss): void;
  warn(kind: string, message: string): void;
  /** From now on the client's messages wait, undelivered, until `release`. */
  hold(): void;
  release(): void;
  /** From now on the client's messages are refused with this cause; undefined takes them again. */
  refuse(cause: Cause | undefined): void;
  readonly open: boolean;
}

export interface MemoryPair {
  readonly transport: Transport;
  readonly server: MemoryServer;
}

export interface MemoryOptions {
  /** Called when the client opens; a rejection with ConnectError is what open() rejects with. */
  readonly onOpen?: (server: MemoryServer) => void | Promise<void>;
}

/** A client transport and a server end that are linked inside this process; messages travel as JSON text. */
export function createMemoryPair(options: MemoryOptions = {}): MemoryPair {
  let handlers: TransportHandlers | undefined;
  let state: "new" | "open" | "closed" = "new";
  let taken = 0;
  let delivered = 0;
  let held: { text: string; about: Envelope; upTo: number }[] = [];
  let holding = false;
  let refusal: Cause | undefined;

  const later = (action: (to: TransportHandlers) => void): void => {
    queueMicrotask(() => {
      if (state === "open" && handlers !== undefined) action(handlers);
    });
  };
  const deliver = (text: string, about: Envelope, upTo: number): void => {
    delivered = upTo;
    server.onMessage(JSON.parse(text), about);
  };
  const end = (cause: Cause): void => {
    if (state === "closed") return;
    const was = state;
    state = "closed";
    const unsent = held;
    held = [];
    if (was !== "open" || handlers === undefined) return;
    for (const { about } of unsent) {
      if (about.id !== undefined) handlers.onLost(about.id, { sent: "no", cause });
    }
    handlers.onClosed(cause);
  };

  const server: MemoryServer = {
    onMessage: () => {},
    send(message) {
      const text = JSON.stringify(message);
      later((to) => to.onMessage(JSON.parse(text)));
    },
    close: (cause) => queueMicrotask(() => end(cause)),
    lose: (id, loss) => later((to) => to.onLost(id, loss)),
    warn: (kind, message) => later((to) => to.onWarning(kind, message)),
    hold: () => void (holding = true),
    release() {
      holding = false;
      const waiting = held;
      held = [];
      for (const each of waiting) deliver(each.text, each.about, each.upTo);
    },
    refuse: (cause) => void (refusal = cause),
    get open() {
      return state === "open";
    },
  };

  const transport: Transport = {
    kind: "memory",
    pids: () => [],
    stderrTail: () => [],
    async open(to) {
      handlers = to;
      await options.onOpen?.(server);
      if (state === "new") state = "open";
    },
    send(text, about) {
      if (state !== "open") return { kind: "stdin-closed", message: "the connection is not open" };
      if (refusal !== undefined) return refusal;
      taken += text.length;
      const upTo = taken;
      if (holding) held.push({ text, about, upTo });
      else queueMicrotask(() => deliver(text, about, upTo));
      return upTo;
    },
    deliveredUpTo: () => delivered,
    abandon() {},
    agreed() {},
    listen() {},
    async close() {
      end({ kind: "requested", message: "the connection was closed" });
      return { survivors: [], forced: false, ms: 0 };
    },
    kill: () => end({ kind: "requested", message: "the connection was closed" }),
  };
  return { transport, server };
}
