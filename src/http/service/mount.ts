import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Something else that the service answers for, such as the gateway: asked before the API, after the guard. */
export interface Mount {
  /** Whether this request target is its own. */
  readonly owns: (target: string) => boolean;
  /** Answers such a request. */
  readonly handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;
  /** Whether this request is of somebody it knows: others make room first when there are too many connections. */
  readonly knows?: (incoming: IncomingMessage) => boolean;
  /** Takes over a connection that asks to become another protocol. */
  readonly upgrade?: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** The service ends. */
  readonly close?: () => void | Promise<void>;
}
