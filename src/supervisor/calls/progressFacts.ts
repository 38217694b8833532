import { elapsedOf } from "../../clock.js";
import type { ProgressNote } from "../../rpc/pending.js";
import type { Call } from "../state/serverRecord.js";
import type { SharedState } from "../state/sharedState.js";

/** A call tells its progress as facts at most so often, so that one of them cannot push all others out of the journal. */
const everyMs = 100;

interface Told {
  /** Monotonic ms of the last fact. */
  at: number;
  /** What came since; the latest stands for all. */
  held: ProgressNote | undefined;
  timer: unknown;
}

/** Facts about the progress of calls, ten a second of each: the first at once, then the latest of each tenth of a second. */
export class ProgressFacts {
  readonly #shared: SharedState;
  readonly #told = new Map<Call, Told>();

  constructor(shared: SharedState) {
    this.#shared = shared;
  }

  tell(call: Call, note: ProgressNote): void {
    const { clock } = this.#shared;
    const now = elapsedOf(clock);
    const told = this.#told.get(call);
    if (told === undefined || (told.timer === undefined && now - told.at >= everyMs)) {
      this.#told.set(call, { at: now, held: undefined, timer: undefined });
      return this.#publish(call, note);
    }
    told.held = note;
    told.timer ??= clock.setTimeout(() => this.#flush(call, told), Math.max(0, told.at + everyMs - now));
  }

  /** The call is about to end: what was held comes before its last fact. */
  end(call: Call): void {
    const told = this.#told.get(call);
    if (told === undefined) return;
    this.#told.delete(call);
    if (told.timer !== undefined) this.#shared.clock.clearTimeout(told.timer);
    if (told.held !== undefined) this.#publish(call, told.held);
  }

  #flush(call: Call, told: Told): void {
    const { held } = told;
    told.timer = told.held = undefined;
    told.at = elapsedOf(this.#shared.clock);
    if (held !== undefined) this.#publish(call, held);
  }

  #publish(call: Call, note: ProgressNote): void {
    const { callId, entry } = call.start;
    this.#shared.bus.publish({
      type: "mcp.call.progress",
      call: callId,
      id: entry.server,
      progress: note.progress,
      ...(note.total === undefined ? {} : { total: note.total }),
      ...(note.message === undefined ? {} : { messageChars: note.message.length }),
    });
  }
}
