import { elapsedOf } from "../clock.js";
import { ConnectError } from "../errors.js";
import type {
  DrainReplacedInput,
  LifeInput,
  ReapOutput,
  ServerReport,
  SuccessorOutput,
} from "../machines/contract.js";
import type { Dated } from "../rpc/deadlines.js";
import { Successor } from "./successor.js";
import { ServerLife } from "./serverLife.js";
import type { LifePorts } from "./lifePorts.js";

/**
 * The lives of all servers, by server and generation: mostly one per server; two while one hands over to the next.
 * Live objects never sit in a machine's context.
 */
export class Lives {
  readonly #ports: (id: string) => LifePorts;
  /** By server; oldest first, until they are reaped. */
  readonly #known = new Map<string, ServerLife[]>();
  readonly #successors = new Map<string, Successor>();

  constructor(ports: (id: string) => LifePorts) {
    this.#ports = ports;
  }

  /** Throws ConnectError when there is no such life (any more). */
  find({ id, generation }: LifeInput): ServerLife {
    const life = this.#of(id).find((each) => each.generation === generation);
    if (life === undefined) {
      throw new ConnectError({ kind: "internal", message: `server ${id} has no life ${generation}` });
    }
    return life;
  }

  /** Begins a life, or puts the one that was made ready into service. The returned function ends its service. */
  serve(input: LifeInput, report: (report: ServerReport) => void): () => void {
    const successor = this.#successors.get(input.id);
    if (successor?.isReady === true && successor.life.generation === input.generation) {
      this.#successors.delete(input.id);
      successor.takeOver(report);
      return () => this.#endService(successor.life);
    }
    const life = new ServerLife(input, this.#ports(input.id), report);
    this.#add(life);
    void life.open();
    return () => this.#endService(life);
  }

  /** Makes a life ready beside the one in service; rejects with ConnectError. */
  prepare(input: LifeInput, signal: AbortSignal): Promise<SuccessorOutput> {
    const successor = new Successor(input, this.#ports(input.id));
    this.#successors.set(input.id, successor);
    this.#add(successor.life);
    return successor.prepare(signal);
  }

  /** Resolves when no other life of this server is left. */
  async clear({ id, generation }: LifeInput): Promise<void> {
    const others = this.#of(id).filter((each) => each.generation !== generation);
    await Promise.all(others.map((each) => each.gone));
  }

  /** Lets the calls of a replaced life end for so long, then ends it. */
  async drainReplaced({ drainMs, ...input }: DrainReplacedInput): Promise<void> {
    const life = this.find(input);
    await quietWithin(drainMs, life, this.#ports(input.id));
    await life.reap();
  }

  /** Ends all lives of this server; resolves with what could not be ended. */
  async reap({ id }: LifeInput): Promise<ReapOutput> {
    const ends = await Promise.all(this.#of(id).map((each) => each.reap()));
    return { survivors: ends.flatMap(({ survivors }) => survivors) };
  }

  /** Nothing is remembered. */
  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  killAll(): void {
    for (const lives of this.#known.values()) for (const life of lives) life.kill();
  }

  forget(id: string): void {
    this.#known.delete(id);
    this.#successors.delete(id);
  }

  #of(id: string): readonly ServerLife[] {
    return this.#known.get(id) ?? [];
  }

  #add(life: ServerLife): void {
    const lives = this.#of(life.id);
    this.#known.set(life.id, [...lives, life]);
    void life.gone.then(() => this.#drop(life));
  }

  #drop(life: ServerLife): void {
    const left = this.#of(life.id).filter((each) => each !== life);
    if (this.#known.has(life.id)) this.#known.set(life.id, left);
    if (this.#successors.get(life.id)?.life === life) this.#successors.delete(life.id);
  }

  /** A life that has a successor goes on with the calls it has. */
  #endService(life: ServerLife): void {
    if (this.#successors.get(life.id)?.isReady === true) life.handOver();
    else life.leave();
  }
}

/** Resolves when the calls of this life have settled, or after so long. */
async function quietWithin(ms: number, life: ServerLife, ports: LifePorts): Promise<void> {
  const { clock, deadlines } = ports;
  let limit: Dated | undefined;
  const late = new Promise<void>((resolve) => {
    limit = { dueAt: elapsedOf(clock) + ms, expire: () => resolve() };
    deadlines.add(limit);
  });
  await Promise.race([ports.quiet(life), late]);
  if (limit !== undefined) deadlines.remove(limit);
}
