import { elapsedOf } from "../clock.js";
import type { ServerSpec } from "../spec.js";
import type { Cause } from "../errors.js";
import type {
  InitializeOutput,
  LifeInput,
  ListOutput,
  ReapOutput,
  ServerReport,
} from "../machines/contract.js";
import type { Session } from "../protocol/mcp.js";
import type { Channel } from "../rpc/channel.js";
import type { Listing } from "../rpc/listing.js";
import type { Transport } from "../transport/transport.js";
import { causeOf, endedDuring, maskedCause } from "./cause.js";
import type { Changes } from "./changes.js";
import type { Life } from "./life.js";
import { LifeConnection } from "./lifeConnection.js";
import type { LifePorts } from "./lifePorts.js";
import { LifeSession } from "./lifeSession.js";

/** One generation of one server: its connection, session and end. Owns what it opens until `reap` is done. */
export class ServerLife implements Life {
  readonly id: string;
  readonly generation: number;
  readonly spec: ServerSpec;
  /** A call or ping was answered while ready: only such a life resets the restart budget. */
  proven = false;
  /** Monotonic ms of the last call, for idle timeouts and health checks. */
  usedAt: number;
  /** It comes up beside the life in service: its transport and tools are not the server's yet. */
  isSuccessor = false;
  /** What a successor has found, for the time when it takes over. */
  listing: Listing | undefined;
  /** Calls and other requests of the host that were sent on it and have not settled. */
  inFlight = 0;
  #isGone: (() => void) | undefined;
  /** Resolves when nothing of it is left. */
  readonly gone = new Promise<void>((resolve) => {
    this.#isGone = resolve;
  });
  readonly #connection: LifeConnection;
  readonly #session: LifeSession;
  readonly #ports: LifePorts;
  #report: (report: ServerReport) => void;
  #reaping: Promise<ReapOutput> | undefined;
  /** Why it was replaced. */
  #replaced: Cause | undefined;
  #closed = false;
  #over = false;

  constructor(input: LifeInput, ports: LifePorts, report: (report: ServerReport) => void) {
    this.id = input.id;
    this.generation = input.generation;
    this.spec = ports.spec();
    this.#ports = ports;
    this.#report = report;
    this.#connection = new LifeConnection(this.spec, input.generation, ports, {
      onTransport: () => this.#made(),
      onNotification: (method, params, about) => this.#session.notified(method, params, about),
      onRequest: (method, params, id, about) => this.#ports.asked(this, method, params, id, about),
      renewSession: () => this.#renew(),
      onEnd: (cause) => this.#end(cause),
    });
    this.#session = new LifeSession(this, ports);
    this.usedAt = elapsedOf(ports.clock);
  }

  get who(): string {
    return this.#connection.who;
  }

  get transport(): Transport | undefined {
    return this.#connection.transport;
  }

  get channel(): Channel | undefined {
    return this.#connection.channel;
  }

  get session(): Session | undefined {
    return this.#session.agreed;
  }

  get changes(): Changes | undefined {
    return this.#session.changes;
  }

  /** Opens transport and channel; the outcome is reported, never thrown. */
  async open(): Promise<void> {
    try {
      await this.#connection.open();
      if (!this.#over && !this.#closed) this.#report({ type: "connection.opened" });
    } catch (error) {
      this.#end(causeOf(error));
    }
  }

  initialize(signal: AbortSignal): Promise<InitializeOutput> {
    return this.#connection.agree(signal, (session) => {
      this.#session.begin(session);
      const overlaps = this.transport?.overlaps?.() === true;
      return { protocolVersion: session.protocolVersion, server: session.server, overlaps };
    });
  }

  async list(signal: AbortSignal | undefined, dueAt: number): Promise<ListOutput> {
    const listing = await this.#session.list(signal, dueAt);
    if (this.isSuccessor) this.listing = listing;
    return this.#ports.listed(this, listing);
  }

  /** Whom it tells what happens from now on. */
  tells(report: (report: ServerReport) => void): void {
    this.#report = report;
  }

  /** Its successor is in service: it tells nothing any more and finishes the calls it has. */
  handOver(): void {
    this.#over = true;
    this.#replaced = this.#ports.whyEnding();
    this.#session.stop();
    this.#ports.replaced(this);
  }

  /** Tells the machine once that this session really works. */
  prove(): void {
    if (this.proven) return;
    this.proven = true;
    this.#report({ type: "session.proven", at: this.#ports.clock.now() });
  }

  /** A call found out that nobody is there any more (HTTP: refused, no such host). */
  lost(cause: Cause): void {
    this.channel?.end(cause);
    this.#end(cause);
  }

  tell(report: ServerReport): void {
    if (!this.#over) this.#report(report);
  }

  /** The machine has left `alive`: nothing is reported any more. */
  leave(): void {
    this.#over = true;
    this.#session.stop();
    this.#ports.ended(this);
  }

  /** Ends the connection and everything it started; tries again when something was left. */
  reap(): Promise<ReapOutput> {
    return (this.#reaping ??= this.#reap().finally(() => (this.#reaping = undefined)));
  }

  kill(): void {
    this.#over = true;
    this.transport?.kill();
  }

  conversation(): Channel {
    return this.#connection.conversation();
  }

  /** Of a successor it is told when it takes over. */
  #made(): boolean {
    if (this.#over) return false;
    if (!this.isSuccessor) this.#ports.opened(this);
    return true;
  }

  async #reap(): Promise<ReapOutput> {
    this.leave();
    const end = await this.#connection.close(this.#replaced ?? this.#ports.whyEnding());
    if (end.survivors.length === 0) {
      this.#ports.reaped(this, end);
      this.#isGone?.();
    }
    return { survivors: end.survivors };
  }

  async #renew(): Promise<Cause | undefined> {
    try {
      this.#session.begin(await this.#connection.agreeAgain());
      this.tell({ type: "tools.changed" });
      return undefined;
    } catch (error) {
      const cause = causeOf(error);
      this.#end(cause);
      return cause;
    }
  }

  #end(cause: Cause): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ports.ended(this);
    const phase = this.session === undefined ? "handshake" : this.#session.hasList ? "serving" : "listing";
    const told = endedDuring(phase, cause);
    this.tell({
      type: "connection.closed",
      cause: maskedCause(told, this.#ports.mask),
      at: this.#ports.clock.now(),
    });
  }
}
