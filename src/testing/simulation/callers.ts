import type { Clock, Supervisor, ToolResult } from "../../index.js";
import type { FakeServer } from "../fake/types.js";
import type { SimulatedClock } from "../simulatedClock.js";
import type { Violation } from "../invariants.js";

export interface CallPlan {
  readonly name: string;
  readonly timeoutMs: number;
  readonly caller?: string;
}

interface OpenCall {
  readonly name: string;
  readonly dueAt: number;
  readonly abort: AbortController;
}

/** Every call has its limit and this much more. */
const graceMs = 250;
/** Progress lets a call live longer, up to this many times its timeout. */
const totalFactor = 10;

/** Those who call tools in a simulation; they watch that each call settles in time and runs at most once. */
export class Callers {
  count = 0;
  readonly violations: Violation[] = [];
  readonly #supervisor: Supervisor;
  readonly #fakes: readonly FakeServer[];
  readonly #clock: Clock;
  readonly #open = new Map<number, OpenCall>();

  constructor(supervisor: Supervisor, fakes: readonly FakeServer[], clock: Clock) {
    this.#supervisor = supervisor;
    this.#fakes = fakes;
    this.#clock = clock;
  }

  /** Calls a tool; resolves with its result, which is checked. */
  async call({ name, timeoutMs, caller }: CallPlan): Promise<ToolResult> {
    const nonce = ++this.count;
    const abort = new AbortController();
    const dueAt = this.#clock.now() + timeoutMs * totalFactor + graceMs;
    this.#open.set(nonce, { name, dueAt, abort });
    const result = await this.#supervisor.callTool(
      name,
      { nonce },
      { timeout: timeoutMs, signal: abort.signal, ...(caller === undefined ? {} : { caller }) },
    );
    this.#open.delete(nonce);
    if (this.#clock.now() > dueAt) this.#broken("settled-in-time", nonce, `settled after its limit`);
    this.#checkRuns(nonce, result);
    return result;
  }

  /** Calls a tool of a server that has recovered. */
  async mustWork(name: string, clock: SimulatedClock): Promise<void> {
    // What others have open may fill the server for as long as progress keeps it alive.
    for (let waited = 0; this.#open.size > 0 && waited < 40; waited++) await clock.advance(1000);
    const call = this.call({ name, timeoutMs: 3000 });
    await clock.advance(3000);
    const result = await call;
    if (result.ok) return;
    const message = `after all faults ${name} fails: ${result.text}`;
    this.violations.push({ rule: "recovers", message });
  }

  /** Cancels the oldest call that is open. */
  cancelOldest(): void {
    const [oldest] = this.#open.values();
    oldest?.abort.abort();
  }

  finish(): void {
    for (const [nonce, { name }] of this.#open)
      this.#broken("settled-once", nonce, `of ${name} never settled`);
  }

  #checkRuns(nonce: number, result: ToolResult): void {
    const fake = this.#fakes.find(({ id }) => id === result.call.server);
    const runs = fake?.received.filter(
      ({ method, params }) => method === "tools/call" && nonceOf(params) === nonce,
    );
    const count = runs?.length ?? 0;
    // A read-only tool of a server with `retry: safe` may run again after a lost connection.
    const most = result.call.tool === "read" && fake?.config.retry === "safe" ? 2 : 1;
    if (count > most) this.#broken("settled-once", nonce, `ran ${count} times`);
    if (count > 0 && result.call.sent === "no")
      this.#broken("settled-once", nonce, `ran, but is told as not sent`);
    if (count === 0 && result.ok) this.#broken("settled-once", nonce, `has a result, but never ran`);
  }

  #broken(rule: Violation["rule"], nonce: number, what: string): void {
    this.violations.push({ rule, message: `the call with number ${nonce} ${what}` });
  }
}

function nonceOf(params: unknown): unknown {
  return (params as { arguments?: { nonce?: unknown } } | undefined)?.arguments?.nonce;
}
