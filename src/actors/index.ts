import { fromCallback, fromPromise } from "xstate";
import type { EventObject } from "xstate";
import { elapsedOf } from "../clock.js";
import { ConnectError } from "../errors.js";
import type { InitializeOutput, LifeInput, ListOutput, ReapOutput } from "../machines/contract.js";
import { causeOf, maskedCause } from "./cause.js";
import { Life } from "./life.js";
import type { LifeSite } from "./site.js";

export interface ActorDeps {
  /** The site of a server, by id. */
  site(id: string): LifeSite;
}

/** The effects a server machine invokes, and the lives behind them (design: machines decide, actors act). */
export function createActors(deps: ActorDeps) {
  // Live objects never sit in a machine's context; a life is found by server and generation.
  const lives = new Map<string, Life>();

  function lifeOf({ id, generation }: LifeInput): Life {
    const life = lives.get(id);
    if (life === undefined || life.generation !== generation) {
      throw new ConnectError({ kind: "internal", message: `server ${id} has no life ${generation}` });
    }
    return life;
  }

  /** Runs the effect and hands over failures as ConnectError with a masked cause. */
  async function effect<T>(input: LifeInput, run: (life: Life) => Promise<T>): Promise<T> {
    const life = lifeOf(input);
    // Asked for now: when the effect fails, the server may be gone.
    const { mask } = deps.site(input.id);
    try {
      return await run(life);
    } catch (error) {
      throw new ConnectError(maskedCause(causeOf(error), mask));
    }
  }

  const connection = fromCallback<EventObject, LifeInput>(({ input, sendBack }) => {
    const life = new Life(input, deps.site(input.id), (report) => sendBack(report));
    lives.set(input.id, life);
    void life.open();
    return () => life.leave();
  });

  const initialize = fromPromise<InitializeOutput, LifeInput>(({ input, signal }) =>
    effect(input, (life) => life.initialize(signal)),
  );

  const list = fromPromise<ListOutput, LifeInput>(({ input, signal }) => {
    const { clock } = deps.site(input.id);
    return effect(input, (life) => life.list(signal, elapsedOf(clock) + life.spec.connectTimeoutMs));
  });

  const drain = fromPromise<void, LifeInput>(({ input }) => deps.site(input.id).quiet());

  const reap = fromPromise<ReapOutput, LifeInput>(({ input }) => effect(input, (life) => life.reap()));

  return {
    actors: { connection, initialize, list, drain, reap },
    /** Ends every process at once (host exit, second signal). */
    killAll(): void {
      for (const life of lives.values()) life.kill();
    },
    forget(id: string): void {
      lives.delete(id);
    },
    /** No life is remembered. */
    get idle(): boolean {
      return lives.size === 0;
    },
    life: (id: string): Life | undefined => lives.get(id),
  };
}
