import type { Sent } from "../errors.js";
import type { Behalf } from "../protocol/behalf.js";
import type { CallVoice } from "../protocol/codec.js";
import type { JsonRpcError } from "../protocol/jsonrpc.js";
import type { Abortable } from "../rpc/aborts.js";
import type { Channel } from "../rpc/channel.js";
import type { Dated } from "../rpc/deadlines.js";
import type { PendingRequest, ProgressNote, Reply } from "../rpc/pending.js";
import type { ToolResult } from "../tools/types.js";
import type { Life } from "./life.js";
import type { CallStart } from "./callStart.js";
import { nextCallState } from "./callState.js";
import type { CallEvent, CallState } from "./callState.js";

/** Who looks after a call: the dispatcher. */
export interface CallListener<Owner> {
  replied(call: ToolCall<Owner>, reply: Reply): void;
  expired(call: ToolCall<Owner>, total: boolean): void;
  aborted(call: ToolCall<Owner>): void;
  progressed(call: ToolCall<Owner>, note: ProgressNote): void;
  /** Its deadline is earlier than it was. */
  resumed(call: ToolCall<Owner>): void;
}

const howFar: Readonly<Record<Sent, number>> = { no: 0, unknown: 1, yes: 2 };

/**
 * The tool-call actor: one plain record from the first check to the result. It carries the request through channel,
 * deadlines and the caller's signal, and tells its listener what happened; decisions are the listener's.
 */
export class ToolCall<Owner> implements PendingRequest, Dated, Abortable {
  readonly method = "tools/call";
  readonly wantsProgress = true;
  id = 0;
  position = 0;
  resends = 0;
  headers?: Readonly<Record<string, string>>;
  dueAt: number;
  place: number | undefined;
  /** Monotonic ms after which no progress helps. */
  endsAt: number;
  state: CallState = "waiting";
  /** The progress that was told last; it never falls. */
  progressTold = -Infinity;
  channel: Channel | undefined;
  /** The life it was sent on; another one may be in service by the time it settles. */
  life: Life | undefined;
  /** Monotonic ms of the last sending. */
  sentAt = 0;
  sent: Sent = "no";
  attempts = 0;
  /** The generation whose failure fails this call while it waits. */
  waitsFor = 0;
  warnings: string[] | undefined;
  /** Further members of the params, as `"key":value,` text: a task, or the answers of a round. */
  extraJson = "";
  /** Members of `_meta` that the host adds, such as a trace context, in the same form. */
  metaJson = "";
  /** Of these, what the host adds to a call on somebody's behalf. */
  hostMetaJson = "";
  /** Sent as a task of 2025-11-25. */
  asTask = false;
  /** What it says differently from the host's own calls. */
  voice: CallVoice | undefined;
  /** The answer as its server gave it, where a consumer wants it whole. */
  raw: { readonly result: unknown } | { readonly error: JsonRpcError } | undefined;
  /** How often its server has asked for input. */
  rounds = 0;
  /** Its headers were made anew after the server refused them. */
  refreshed = false;
  /** Ends the question to a person that it waits for. */
  question: AbortController | undefined;
  /** Ends the task at its server. */
  cancelTask: (() => void) | undefined;
  /** It keeps the process alive while it is in flight. */
  holds = false;
  /** How long a person took to decide; undefined when nobody was asked, or nobody has answered yet. */
  approvalMs: number | undefined;
  /** The open question to a person, while deciding. */
  approval: string | undefined;
  readonly start: CallStart;
  /** The server it belongs to, as its host keeps it: a call outlives a removed entry. */
  readonly owner: Owner;
  /** How far the attempts that are over came. */
  #before: Sent = "no";
  readonly #listener: CallListener<Owner>;
  readonly #resolve: (result: ToolResult) => void;
  #pauses = 0;
  #pausedAt = 0;

  constructor(
    start: CallStart,
    owner: Owner,
    listener: CallListener<Owner>,
    resolve: (result: ToolResult) => void,
  ) {
    this.start = start;
    this.owner = owner;
    this.#listener = listener;
    this.#resolve = resolve;
    this.endsAt = start.startedAt + start.totalMs;
    this.dueAt = Math.min(start.startedAt + start.idleMs, this.endsAt);
  }

  get behalf(): Behalf | undefined {
    return this.start.behalf;
  }

  /** The clock starts anew: nobody pays for the time a person takes to decide. */
  restartClock(now: number): void {
    this.endsAt = now + this.start.totalMs;
    this.dueAt = Math.min(now + this.start.idleMs, this.endsAt);
  }

  /** A sign of life of the tool: the idle limit begins again, the total limit stays. */
  extend(now: number): void {
    if (this.#pauses === 0) this.dueAt = Math.min(now + this.start.idleMs, this.endsAt);
  }

  pause(now: number): void {
    if (this.#pauses++ > 0) return;
    this.#pausedAt = now;
    this.dueAt = Infinity;
  }

  /** The time that a person took is added. */
  resume(now: number): void {
    if (--this.#pauses > 0) return;
    this.endsAt += now - this.#pausedAt;
    this.dueAt = Math.min(now + this.start.idleMs, this.endsAt);
    this.#listener.resumed(this);
  }

  /** False when the event comes too late (the call has settled). */
  step(event: CallEvent): boolean {
    const next = nextCallState(this.state, event);
    if (next === undefined) return false;
    this.state = next;
    return true;
  }

  /** Notes how far the last attempt came; what may have run once stays so, whatever became of a later attempt. */
  came(sent: Sent): Sent {
    if (howFar[sent] > howFar[this.#before]) this.#before = sent;
    this.sent = this.#before;
    return this.sent;
  }

  /** The one and only result. */
  finish(result: ToolResult): void {
    this.#resolve(result);
  }

  encode(id: number): string {
    const { entry, argumentsJson } = this.start;
    // Only a sent call has a channel; the codec decides what else the revision wants in the params.
    if (this.channel === undefined) return "";
    entry.nameJson ??= JSON.stringify(entry.tool.name);
    return this.channel.codec.call(
      id,
      entry.nameJson,
      argumentsJson,
      this.extraJson,
      this.metaJson,
      this.voice,
    );
  }

  settle(reply: Reply): void {
    this.#listener.replied(this, reply);
  }

  progress(note: ProgressNote): void {
    this.#listener.progressed(this, note);
  }

  expire(now: number): void {
    this.#listener.expired(this, now >= this.endsAt);
  }

  abort(): void {
    this.#listener.aborted(this);
  }
}
