import { realClock } from "../index.js";
import type { Cause, Clock, Transport, TransportHandlers, TransportSource } from "../index.js";
import type { ChaosPlan, WireFault } from "./chaosPlan.js";
import type { FakeServer } from "./fake/types.js";
import { seededRandom } from "./random.js";
import type { SeededRandom } from "./random.js";

/** Puts seeded faults around one connection. */
export function chaos(target: Transport, plan: ChaosPlan): Transport;
/**
 * Puts seeded faults around every connection of a server: of a fake one, of another source, or of the one that its
 * entry describes (undefined). For `createSupervisor({transports: {github: chaos(undefined, plan)}})`.
 */
export function chaos(target: TransportSource | FakeServer | undefined, plan: ChaosPlan): TransportSource;
export function chaos(
  target: Transport | TransportSource | FakeServer | undefined,
  plan: ChaosPlan,
): Transport | TransportSource {
  const random = seededRandom(plan.seed);
  if (target !== undefined && "open" in target) return twist(target, plan, random);
  const source = typeof target === "function" ? target : target?.source;
  return async (request) => twist(await (source ?? own)(request), plan, random.fork());
}

const own: TransportSource = (request) => request.own();

function twist(transport: Transport, plan: ChaosPlan, random: SeededRandom): Transport {
  const line = new TwistedLine(transport, plan, random);
  return {
    kind: transport.kind,
    pids: () => transport.pids(),
    stderrTail: () => transport.stderrTail(),
    open: (handlers) => line.open(handlers),
    send: (text, about) => line.refuse() ?? transport.send(text, about),
    overlaps: () => transport.overlaps?.() === true,
    deliveredUpTo: () => transport.deliveredUpTo(),
    abandon: (id) => transport.abandon(id),
    agreed: (version) => transport.agreed(version),
    listen: () => transport.listen(),
    close() {
      line.end();
      return transport.close();
    },
    kill() {
      line.end();
      transport.kill();
    },
  };
}

/** Between the handlers of the engine and a transport. */
class TwistedLine {
  readonly #transport: Transport;
  readonly #plan: ChaosPlan;
  readonly #random: SeededRandom;
  readonly #clock: Clock;
  #handlers: TransportHandlers | undefined;

  constructor(transport: Transport, plan: ChaosPlan, random: SeededRandom) {
    this.#transport = transport;
    this.#plan = plan;
    this.#random = random;
    this.#clock = plan.clock ?? realClock;
  }

  async open(handlers: TransportHandlers): Promise<void> {
    this.#handlers = handlers;
    await this.#transport.open({
      onMessage: (message) => this.#onMessage(message),
      onLost: (id, loss) => this.#handlers?.onLost(id, loss),
      onClosed: (cause) => this.#close(cause),
      onWarning: (kind, message) => this.#handlers?.onWarning(kind, message),
    });
    for (const { at, fault } of this.#plan.schedule ?? [])
      this.#clock.setTimeout(() => this.#strike(fault), at);
  }

  /** A cause when the message must not be taken. */
  refuse(): Cause | undefined {
    return this.#happens("refuse-send") ? cut : undefined;
  }

  /** From now on the engine hears nothing. */
  end(): void {
    this.#handlers = undefined;
  }

  #onMessage(message: unknown): void {
    for (const fault of ["kill", "pause", "drop-connection", "list-changed"] as const) {
      if (this.#happens(fault)) this.#do(fault);
    }
    if (this.#happens("drop-answer")) return;
    const copies = this.#happens("duplicate-answer") ? 2 : 1;
    const told = this.#happens("wrong-id") ? withWrongId(message) : message;
    const wait = this.#happens("delay-answer") ? this.#delay() : 0;
    for (let copy = 0; copy < copies; copy++) {
      if (wait > 0) this.#clock.setTimeout(() => this.#handlers?.onMessage(told), wait);
      else this.#handlers?.onMessage(told);
    }
  }

  #strike(fault: WireFault): void {
    if (this.#handlers === undefined || this.#plan.active?.() === false) return;
    this.#plan.onFault?.(fault);
    this.#do(fault);
  }

  #do(fault: WireFault): void {
    if (fault === "drop-connection") return this.#close(cut);
    if (fault === "list-changed")
      return this.#handlers?.onMessage({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    if (fault !== "kill" && fault !== "pause") return;
    const pids = this.#transport.pids();
    if (pids.length === 0) return this.#close(cut);
    if (fault === "kill") return signal(this.#random.pick(pids), "SIGKILL");
    const [first] = pids;
    if (first === undefined) return;
    signal(first, "SIGSTOP");
    this.#clock.setTimeout(() => signal(first, "SIGCONT"), this.#plan.pauseMs ?? 1000);
  }

  #close(cause: Cause): void {
    const handlers = this.#handlers;
    this.#handlers = undefined;
    handlers?.onClosed(cause);
  }

  #happens(fault: WireFault): boolean {
    const probability = this.#plan.chance?.[fault] ?? 0;
    if (probability <= 0 || this.#handlers === undefined || this.#plan.active?.() === false) return false;
    if (!this.#random.chance(probability)) return false;
    this.#plan.onFault?.(fault);
    return true;
  }

  #delay(): number {
    const [least, most] = this.#plan.delayMs ?? [10, 500];
    return Math.round(least + this.#random.next() * (most - least));
  }
}

const cut: Cause = { kind: "reset", message: "the chaos plan cut the connection" };

function withWrongId(message: unknown): unknown {
  return typeof message === "object" && message !== null && "id" in message
    ? { ...message, id: 987_654 }
    : message;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
