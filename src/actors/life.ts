import { elapsedOf } from "../clock.js";
import type { Clock } from "../clock.js";
import type { ServerSpec } from "../config/spec.js";
import { ConnectError } from "../errors.js";
import type { Cause } from "../errors.js";
import type {
  InitializeOutput,
  LifeInput,
  ListOutput,
  ReapOutput,
  ServerReport,
} from "../machines/contract.js";
import type { ClientIdentity } from "../protocol/codec.js";
import { legacyCodec } from "../protocol/codec.js";
import type { JsonRpcError, RequestId } from "../protocol/jsonrpc.js";
import type { Session } from "../protocol/mcp.js";
import { preferredLegacy } from "../protocol/revision.js";
import { openChannel } from "../rpc/channel.js";
import type { Channel } from "../rpc/channel.js";
import type { Deadlines } from "../rpc/deadlines.js";
import { handshake } from "../rpc/handshake.js";
import { listAll } from "../rpc/listing.js";
import type { Listing } from "../rpc/listing.js";
import { request } from "../rpc/request.js";
import type { Transport, TransportEnd } from "../transport/transport.js";

/** What a life needs to know and tell; the supervisor makes one per server. */
export interface LifeSite {
  spec(): ServerSpec;
  transport(spec: ServerSpec, generation: number): Transport | Promise<Transport>;
  /** Masks secrets of this server in any text. */
  readonly mask: (text: string) => string;
  warn(kind: string, message: string): void;
  /** The life has a transport: its processes and stderr can be shown. */
  opened(life: Life): void;
  /** No call may go to this life any more. */
  ended(life: Life): void;
  /** Everything of this life is gone, or what is left is known. */
  reaped(life: Life, end: TransportEnd): void;
  listed(life: Life, listing: Listing): ListOutput;
  /** What the machine gave as the reason to leave. */
  whyEnding(): Cause;
  /** A notification that is none of the engine's own business. */
  notified(method: string, params: unknown): void;
  asked(
    method: string,
    params: unknown,
    id: RequestId,
  ): Promise<{ result: unknown } | { error: JsonRpcError }> | undefined;
  /** Resolves when no call is in flight. */
  quiet(): Promise<void>;
  readonly identity: ClientIdentity;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
}

/** One generation of one server: its connection, session and end. Owns what it opens until `reap` is done. */
export class Life {
  readonly id: string;
  readonly generation: number;
  readonly spec: ServerSpec;
  channel: Channel | undefined;
  session: Session | undefined;
  /** A call or ping was answered while ready: only such a life resets the restart budget. */
  proven = false;
  /** Monotonic ms of the last call, for idle timeouts and health checks. */
  usedAt: number;
  readonly openedAt: number;
  readonly #site: LifeSite;
  readonly #report: (report: ServerReport) => void;
  #transport: Transport | undefined;
  #closed = false;
  #over = false;

  constructor(input: LifeInput, site: LifeSite, report: (report: ServerReport) => void) {
    this.id = input.id;
    this.generation = input.generation;
    this.spec = site.spec();
    this.#site = site;
    this.#report = report;
    this.usedAt = this.openedAt = elapsedOf(site.clock);
  }

  get who(): string {
    return `server "${this.spec.name}"`;
  }

  get transport(): Transport | undefined {
    return this.#transport;
  }

  /** Opens transport and channel; the outcome is reported, never thrown. */
  async open(): Promise<void> {
    try {
      this.#transport = await this.#site.transport(this.spec, this.generation);
      if (this.#over) return;
      this.#site.opened(this);
      this.channel = await openChannel(this.#transport, legacyCodec(preferredLegacy), {
        onNotification: (method, params) => this.#notified(method, params),
        onRequest: (method, params, id) => this.#site.asked(method, params, id),
        onClosed: (cause) => this.#end(cause),
        onWarning: (kind, message) => this.#site.warn(kind, this.#site.mask(message)),
        renewSession: () => this.#renew(),
      });
      if (!this.#over && !this.#closed) this.#report({ type: "connection.opened" });
    } catch (error) {
      this.#end(causeOf(error));
    }
  }

  async initialize(signal: AbortSignal): Promise<InitializeOutput> {
    const session = await this.#handshake(signal);
    return { protocolVersion: session.protocolVersion, server: session.server };
  }

  /** Lists tools; without the tools capability the list is empty and nothing is asked. */
  async list(signal: AbortSignal, dueAt: number): Promise<ListOutput> {
    const channel = this.#channel();
    const { deadlines } = this.#site;
    const listing: Listing =
      this.session !== undefined && "tools" in this.session.capabilities
        ? await listAll(channel, "tools/list", "tools", {
            dueAt,
            deadlines,
            signal,
            limits: this.spec.limits,
            who: this.who,
          })
        : { items: [], warnings: [] };
    return this.#site.listed(this, listing);
  }

  /** Tells the machine once that this session really works. */
  prove(): void {
    if (this.proven) return;
    this.proven = true;
    this.#report({ type: "session.proven", at: this.#site.clock.now() });
  }

  /** Any answer at all counts as alive; resolves false when nothing came back in time. */
  async ping(timeoutMs: number): Promise<boolean> {
    const channel = this.channel;
    if (channel === undefined || !channel.open) return false;
    const before = channel.heard;
    const { clock, deadlines } = this.#site;
    const reply = await request(channel, "ping", undefined, {
      dueAt: elapsedOf(clock) + timeoutMs,
      deadlines,
    });
    const alive = reply.kind === "result" || reply.kind === "error" || channel.heard > before;
    if (alive) this.prove();
    return alive;
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
    this.#site.ended(this);
  }

  /** Ends the connection and everything it started. */
  async reap(): Promise<ReapOutput> {
    this.leave();
    this.channel?.end(this.#site.whyEnding());
    const end = (await this.#transport?.close()) ?? nothingLeft;
    if (end.survivors.length === 0) this.#site.reaped(this, end);
    return { survivors: end.survivors };
  }

  kill(): void {
    this.#over = true;
    this.#transport?.kill();
  }

  #channel(): Channel {
    if (this.channel === undefined)
      throw new ConnectError({ kind: "internal", message: `${this.who} has no open connection` });
    return this.channel;
  }

  async #handshake(signal?: AbortSignal): Promise<Session> {
    const { spec } = this;
    const session = await handshake(this.#channel(), {
      identity: this.#site.identity,
      offer: spec.protocolVersion ?? preferredLegacy,
      dueAt: signal === undefined ? elapsedOf(this.#site.clock) + spec.connectTimeoutMs : Infinity,
      deadlines: this.#site.deadlines,
      who: this.who,
      ...(signal === undefined ? {} : { signal }),
    });
    this.session = session;
    return session;
  }

  async #renew(): Promise<Cause | undefined> {
    try {
      await this.#handshake();
      this.tell({ type: "tools.changed" });
      return undefined;
    } catch (error) {
      const cause = causeOf(error);
      this.#end(cause);
      return cause;
    }
  }

  #notified(method: string, params: unknown): void {
    if (method === "notifications/tools/list_changed") return this.tell({ type: "tools.changed" });
    this.#site.notified(method, params);
  }

  #end(cause: Cause): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#site.ended(this);
    this.tell({
      type: "connection.closed",
      cause: maskedCause(cause, this.#site.mask),
      at: this.#site.clock.now(),
    });
  }
}

const nothingLeft: TransportEnd = { survivors: [], forced: false, ms: 0 };

/** The cause inside whatever was thrown. */
export function causeOf(error: unknown): Cause {
  if (error instanceof ConnectError) return error.info;
  return { kind: "internal", message: error instanceof Error ? error.message : String(error) };
}

/** Every text of a cause without secrets. */
export function maskedCause(cause: Cause, mask: (text: string) => string): Cause {
  const { stderrTail } = cause;
  return {
    ...cause,
    message: mask(cause.message),
    ...(stderrTail === undefined ? {} : { stderrTail: stderrTail.map(mask) }),
  };
}
