import { elapsedOf } from "../clock.js";
import { ConnectError } from "../errors.js";
import type { LifeInput, ServerReport, SuccessorOutput } from "../machines/contract.js";
import { ServerLife } from "./serverLife.js";
import type { LifePorts } from "./lifePorts.js";

/** A life that comes up beside the one in service. What it has to tell is kept until it takes over. */
export class Successor {
  readonly life: ServerLife;
  isReady = false;
  readonly #ports: LifePorts;
  #kept: ServerReport[] = [];
  #lost: ((why: ConnectError) => void) | undefined;

  constructor(input: LifeInput, ports: LifePorts) {
    this.#ports = ports;
    this.life = new ServerLife(input, ports, (report) => this.#keep(report));
    this.life.isSuccessor = true;
    ports.preparing(this.life);
  }

  /** Makes it ready for calls; rejects with ConnectError. When `signal` aborts, everything of it ends. */
  async prepare(signal: AbortSignal): Promise<SuccessorOutput> {
    const lost = new Promise<never>((_, reject) => {
      this.#lost = reject;
    });
    signal.addEventListener("abort", () => void this.life.reap(), { once: true });
    try {
      const output = await Promise.race([lost, this.#begin(signal)]);
      this.isReady = !signal.aborted;
      return output;
    } catch (error) {
      // Nobody waits for its end but the next one (clear) and the end of the server (reap).
      void this.life.reap();
      throw error;
    }
  }

  /** It is the life in service from now on; what it has told meanwhile is told now. */
  takeOver(report: (report: ServerReport) => void): void {
    const { life } = this;
    life.tells(report);
    life.isSuccessor = false;
    this.#ports.opened(life);
    if (life.listing !== undefined) this.#ports.listed(life, life.listing);
    life.listing = undefined;
    for (const kept of this.#kept.splice(0)) report(kept);
  }

  async #begin(signal: AbortSignal): Promise<SuccessorOutput> {
    const { life } = this;
    await life.open();
    const session = await life.initialize(signal);
    const list = await life.list(signal, elapsedOf(this.#ports.clock) + life.spec.connectTimeoutMs);
    return { session, list };
  }

  #keep(report: ServerReport): void {
    if (report.type === "connection.opened") return;
    this.#kept.push(report);
    if (report.type === "connection.closed") this.#lost?.(new ConnectError(report.cause));
  }
}
