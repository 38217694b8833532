import { ConnectError } from "../errors.js";
import type { Cause } from "../errors.js";
import type { Session } from "../protocol/mcp.js";
import type { Channel } from "../rpc/channel.js";
import type { ChannelHooks } from "../rpc/hooks.js";
import type { ServerSpec } from "../spec.js";
import type { Transport, TransportEnd } from "../transport/transport.js";
import { agree, agreeAgain } from "./agree.js";
import type { Reconnectable } from "./agree.js";
import { Connection } from "./connection.js";
import type { LifePorts } from "./lifePorts.js";

/** What a life does about its connection. */
export interface ConnectionHooks extends Omit<ChannelHooks, "onClosed" | "onWarning"> {
  /** A transport is there; false when it is wanted no more and must not open. */
  onTransport(): boolean;
  /** No message will come or go again, and it is not the answer to an attempt to agree. */
  onEnd(cause: Cause): void;
}

/** The connection of one life: opened anew as often as it takes to agree with the server on a revision. */
export class LifeConnection implements Reconnectable {
  readonly spec: ServerSpec;
  channel: Channel | undefined;
  readonly #generation: number;
  readonly #ports: LifePorts;
  readonly #hooks: ConnectionHooks;
  #connection: Connection | undefined;
  /** While eras are tried, the end of a connection is an answer; it becomes the end of the life when nothing else helps. */
  #held: Cause | "nothing" | undefined;

  constructor(spec: ServerSpec, generation: number, ports: LifePorts, hooks: ConnectionHooks) {
    this.spec = spec;
    this.#generation = generation;
    this.#ports = ports;
    this.#hooks = hooks;
  }

  get who(): string {
    return `server "${this.spec.name}"`;
  }

  get transport(): Transport | undefined {
    return this.#connection?.transport;
  }

  /** Opens transport and channel; rejects with ConnectError. */
  async open(kind?: "sse"): Promise<void> {
    const transport = await this.#ports.transport(this.spec, this.#generation, kind);
    const connection = (this.#connection = new Connection(transport));
    if (!this.#hooks.onTransport()) return;
    this.channel = await connection.open({
      onNotification: (method, params, about) => this.#hooks.onNotification(method, params, about),
      onRequest: (method, params, id, about) => this.#hooks.onRequest(method, params, id, about),
      onClosed: (cause) => this.#closed(cause),
      onWarning: (oddity, message) => this.#ports.warn(oddity, this.#ports.mask(message)),
      renewSession: () => this.#hooks.renewSession(),
    });
  }

  async reopen(kind?: "sse"): Promise<Channel> {
    const old = this.#connection;
    this.channel = undefined;
    this.#held = "nothing";
    await old?.close({ kind: "retry", message: `${this.who} is connected in another way` });
    await this.open(kind);
    return this.conversation();
  }

  /** Agrees on a revision and hands over the session; an end meanwhile is told after that. Rejects with ConnectError. */
  async agree<T>(signal: AbortSignal, take: (session: Session) => T): Promise<T> {
    this.#held = "nothing";
    try {
      return take(await agree(this, this.#ports, signal));
    } finally {
      const held = this.#held;
      this.#held = undefined;
      if (held !== "nothing") this.#hooks.onEnd(held);
    }
  }

  /** A new session on the connection there is. Rejects with ConnectError. */
  agreeAgain(): Promise<Session> {
    return agreeAgain(this, this.#ports);
  }

  conversation(): Channel {
    if (this.channel === undefined)
      throw new ConnectError({ kind: "internal", message: `${this.who} has no open connection` });
    return this.channel;
  }

  /** Ends whatever is open; resolves with what is left. */
  async close(cause: Cause): Promise<TransportEnd> {
    return (await this.#connection?.close(cause)) ?? nothingLeft;
  }

  #closed(cause: Cause): void {
    if (this.#held === undefined) this.#hooks.onEnd(cause);
    else this.#held = cause;
  }
}

const nothingLeft: TransportEnd = { survivors: [], forced: false, ms: 0 };
