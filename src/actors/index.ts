import { fromCallback, fromPromise } from "xstate";
import type { EventObject } from "xstate";
import { elapsedOf } from "../clock.js";
import { ConnectError } from "../errors.js";
import type {
  DrainReplacedInput,
  InitializeOutput,
  LifeInput,
  ListOutput,
  ReapOutput,
  SuccessorOutput,
} from "../machines/contract.js";
import { causeOf, maskedCause } from "./cause.js";
import { Lives } from "./lives.js";
import type { LifePorts } from "./lifePorts.js";

export interface ActorDeps {
  /** What the lives of a server need, by id. */
  ports(id: string): LifePorts;
}

/** The effects a server machine invokes, and the lives behind them (design: machines decide, actors act). */
export function createActors(deps: ActorDeps) {
  const lives = new Lives((id) => deps.ports(id));

  /** Runs the effect and hands over failures as ConnectError with a masked cause. */
  async function effect<T>(input: LifeInput, run: () => Promise<T>): Promise<T> {
    // Asked for now: when the effect fails, the server may be gone.
    const { mask } = deps.ports(input.id);
    try {
      return await run();
    } catch (error) {
      throw new ConnectError(maskedCause(causeOf(error), mask));
    }
  }

  const connection = fromCallback<EventObject, LifeInput>(({ input, sendBack }) =>
    lives.serve(input, sendBack),
  );

  const initialize = fromPromise<InitializeOutput, LifeInput>(({ input, signal }) =>
    effect(input, () => lives.find(input).initialize(signal)),
  );

  const list = fromPromise<ListOutput, LifeInput>(({ input, signal }) => {
    const { clock } = deps.ports(input.id);
    return effect(input, () => {
      const life = lives.find(input);
      return life.list(signal, elapsedOf(clock) + life.spec.connectTimeoutMs);
    });
  });

  const drain = fromPromise<void, LifeInput>(({ input }) => deps.ports(input.id).quiet());

  const reap = fromPromise<ReapOutput, LifeInput>(({ input }) => effect(input, () => lives.reap(input)));

  const clear = fromPromise<void, LifeInput>(({ input }) => lives.clear(input));

  const successor = fromPromise<SuccessorOutput, LifeInput>(({ input, signal }) =>
    effect(input, () => lives.prepare(input, signal)),
  );

  const drainReplaced = fromPromise<void, DrainReplacedInput>(({ input }) =>
    effect(input, () => lives.drainReplaced(input)),
  );

  return {
    actors: { connection, initialize, list, drain, reap, clear, successor, drainReplaced },
    /** Ends every process at once (host exit, second signal). */
    killAll: () => lives.killAll(),
    forget: (id: string) => lives.forget(id),
    /** No life is remembered. */
    get idle(): boolean {
      return lives.isEmpty;
    },
  };
}
