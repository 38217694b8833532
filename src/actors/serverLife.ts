import { elapsedOf } from "../clock.js";
import type { ServerSpec } from "../spec.js";
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
import type { Listing } from "../rpc/listing.js";
import type { Transport, TransportEnd } from "../transport/transport.js";
import { type Line, agree, agreeAgain } from "./agree.js";
import { askForLogs } from "./askForLogs.js";
import { beforeReady, causeOf, maskedCause } from "./cause.js";
import { Changes } from "./changes.js";
import { Link } from "./connection.js";
import type { Life } from "./life.js";
import type { LifeSite } from "./lifePorts.js";
import { walkTools } from "./walkTools.js";

/** One generation of one server: its connection, session and end. Owns what it opens until `reap` is done. */
export class ServerLife implements Life, Line {
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
  /** It comes up beside the life in service: its transport and tools are not the server's yet. */
  isHeir = false;
  /** What an heir has found, for the time when it takes over. */
  listing: Listing | undefined;
  /** Calls and other requests of the host that were sent on it and have not settled. */
  inFlight = 0;
  #isGone: (() => void) | undefined;
  /** Resolves when nothing of it is left. */
  readonly gone = new Promise<void>((resolve) => {
    this.#isGone = resolve;
  });
  readonly #site: LifeSite;
  #report: (report: ServerReport) => void;
  #reaping: Promise<ReapOutput> | undefined;
  /** Why it was replaced. */
  #replaced: Cause | undefined;
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
      const overlaps = this.transport?.overlaps?.() === true;
      return { protocolVersion: session.protocolVersion, server: session.server, overlaps };
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
    await this.changes?.beforeList();
    const listing = await walkTools(this, channel, this.#site, {
      signal,
      dueAt,
      keepPartial: !this.#hasList,
    });
    this.#hasList = true;
    if (channel.codec.modern) this.changes?.listed(listing.ttlMs);
    if (this.isHeir) this.listing = listing;
    return this.#site.listed(this, listing);
  }

  /** Whom it tells what happens from now on. */
  tells(report: (report: ServerReport) => void): void {
    this.#report = report;
  }

  /** Its successor is in service: it tells nothing any more and finishes the calls it has. */
  yield(): void {
    this.#over = true;
    this.#replaced = this.#site.whyEnding();
    this.changes?.stop();
    this.#site.replaced(this);
  }

  /** Tells the machine once that this session really works. */
  prove(): void {
    if (this.proven) return;
    this.proven = true;
    this.#report({ type: "session.proven", at: this.#site.clock.now() });
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

  /** Ends the connection and everything it started; tries again when something was left. */
  reap(): Promise<ReapOutput> {
    return (this.#reaping ??= this.#reap().finally(() => (this.#reaping = undefined)));
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
    if (!this.isHeir) this.#site.opened(this);
    this.channel = await link.open({
      onNotification: (method, params) => this.#notified(method, params),
      onRequest: (method, params, id) => this.#site.asked(this, method, params, id),
      onClosed: (cause) => this.#lost(cause),
      onWarning: (oddity, message) => this.#site.warn(oddity, this.#site.mask(message)),
      renewSession: () => this.#renew(),
    });
  }

  async #reap(): Promise<ReapOutput> {
    this.leave();
    const end = (await this.#link?.close(this.#replaced ?? this.#site.whyEnding())) ?? nothingLeft;
    if (end.survivors.length === 0) {
      this.#site.reaped(this, end);
      this.#isGone?.();
    }
    return { survivors: end.survivors };
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
    this.session = session;
    this.changes?.stop();
    this.changes = new Changes(channel, session, this.#site, {
      changed: () => this.tell({ type: "tools.changed" }),
      notified: (method) => this.#site.notified(this, method, undefined),
    });
    askForLogs(channel, session, this.#site, this.spec.connectTimeoutMs);
  }

  #notified(method: string, params: unknown): void {
    if (this.changes?.notified(method, params) === true) return;
    if (method === "notifications/tools/list_changed") return this.tell({ type: "tools.changed" });
    this.#site.notified(this, method, params);
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
