import { elapsedOf } from "../clock.js";
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
import type { Session } from "../protocol/mcp.js";
import type { Channel } from "../rpc/channel.js";
import { listAll } from "../rpc/listing.js";
import type { Listing } from "../rpc/listing.js";
import { request } from "../rpc/request.js";
import type { Transport, TransportEnd } from "../transport/transport.js";
import { agree, agreeAgain } from "./agree.js";
import type { Line } from "./agree.js";
import { beforeReady, causeOf, maskedCause } from "./cause.js";
import { Changes } from "./changes.js";
import { Link } from "./link.js";
import type { LifeSite } from "./site.js";

/** One generation of one server: its connection, session and end. Owns what it opens until `reap` is done. */
export class Life implements Line {
  readonly id: string;
  readonly generation: number;
  readonly spec: ServerSpec;
  channel: Channel | undefined;
  session: Session | undefined;
  changes: Changes | undefined;
  /** A call or ping was answered while ready: only such a life resets the restart budget. */
  proven = false;
  /** Monotonic ms of the last call, for idle timeouts and health checks. */
  usedAt: number;
  readonly openedAt: number;
  readonly #site: LifeSite;
  readonly #report: (report: ServerReport) => void;
  #link: Link | undefined;
  /** While eras are tried, the end of a connection is an answer; it becomes the end of the life when nothing else helps. */
  #held: Cause | "nothing" | undefined;
  /** From here on a walk that fails half-way is worth less than the list there is. */
  #hasList = false;
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
    return this.#link?.transport;
  }

  /** Opens transport and channel; the outcome is reported, never thrown. */
  async open(): Promise<void> {
    try {
      await this.#connect();
      if (!this.#over && !this.#closed) this.#report({ type: "connection.opened" });
    } catch (error) {
      this.#end(causeOf(error));
    }
  }

  async initialize(signal: AbortSignal): Promise<InitializeOutput> {
    this.#held = "nothing";
    try {
      const session = await agree(this, this.#site, signal);
      this.#begin(session);
      return { protocolVersion: session.protocolVersion, server: session.server };
    } finally {
      const held = this.#held;
      this.#held = undefined;
      if (held !== "nothing") this.#end(held);
    }
  }

  async reopen(kind?: "sse"): Promise<Channel> {
    const old = this.#link;
    this.channel = undefined;
    this.#held = "nothing";
    await old?.close({ kind: "retry", message: `${this.who} is connected in another way` });
    await this.#connect(kind);
    return this.conversation();
  }

  /** Lists tools; without the tools capability the list is empty and nothing is asked. */
  async list(signal: AbortSignal | undefined, dueAt: number): Promise<ListOutput> {
    const channel = this.conversation();
    const { deadlines } = this.#site;
    await this.changes?.beforeList();
    const listing: Listing =
      this.session !== undefined && "tools" in this.session.capabilities
        ? await listAll(channel, "tools/list", "tools", {
            dueAt,
            deadlines,
            ...(signal === undefined ? {} : { signal }),
            limits: this.spec.limits,
            who: this.who,
            keepPartial: !this.#hasList,
          })
        : { items: [], warnings: [] };
    this.#hasList = true;
    if (channel.codec.modern) this.changes?.listed(listing.ttlMs);
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
    // 2026-07-28 has no ping; discovery is as cheap.
    const method = channel.codec.modern ? "server/discover" : "ping";
    const reply = await request(channel, method, undefined, {
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
    this.changes?.stop();
    this.#site.ended(this);
  }

  /** Ends the connection and everything it started. */
  async reap(): Promise<ReapOutput> {
    this.leave();
    const end = (await this.#link?.close(this.#site.whyEnding())) ?? nothingLeft;
    if (end.survivors.length === 0) this.#site.reaped(this, end);
    return { survivors: end.survivors };
  }

  kill(): void {
    this.#over = true;
    this.transport?.kill();
  }

  conversation(): Channel {
    if (this.channel === undefined)
      throw new ConnectError({ kind: "internal", message: `${this.who} has no open connection` });
    return this.channel;
  }

  async #connect(kind?: "sse"): Promise<void> {
    const link = (this.#link = new Link(await this.#site.transport(this.spec, this.generation, kind)));
    if (this.#over) return;
    this.#site.opened(this);
    this.channel = await link.open({
      onNotification: (method, params) => this.#notified(method, params),
      onRequest: (method, params, id) => this.#site.asked(method, params, id),
      onClosed: (cause) => this.#lost(cause),
      onWarning: (oddity, message) => this.#site.warn(oddity, this.#site.mask(message)),
      renewSession: () => this.#renew(),
    });
  }

  #lost(cause: Cause): void {
    if (this.#held === undefined) this.#end(cause);
    else this.#held = cause;
  }

  async #renew(): Promise<Cause | undefined> {
    try {
      this.#begin(await agreeAgain(this, this.#site));
      this.tell({ type: "tools.changed" });
      return undefined;
    } catch (error) {
      const cause = causeOf(error);
      this.#end(cause);
      return cause;
    }
  }

  #begin(session: Session): void {
    const channel = this.conversation();
    const { logLevel, deadlines, clock } = this.#site;
    this.session = session;
    this.changes?.stop();
    this.changes = new Changes(channel, session, this.#site, () => this.tell({ type: "tools.changed" }));
    // A modern server is told with every request.
    if (logLevel === undefined || channel.codec.modern || !("logging" in session.capabilities)) return;
    const dueAt = elapsedOf(clock) + this.spec.connectTimeoutMs;
    void request(channel, "logging/setLevel", { level: logLevel }, { dueAt, deadlines });
  }

  #notified(method: string, params: unknown): void {
    if (this.changes?.notified(method, params) === true) return;
    if (method === "notifications/tools/list_changed") return this.tell({ type: "tools.changed" });
    this.#site.notified(method, params);
  }

  #end(cause: Cause): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#site.ended(this);
    const told = this.session === undefined ? beforeReady(cause) : cause;
    this.tell({
      type: "connection.closed",
      cause: maskedCause(told, this.#site.mask),
      at: this.#site.clock.now(),
    });
  }
}

const nothingLeft: TransportEnd = { survivors: [], forced: false, ms: 0 };
