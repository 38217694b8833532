import { fromCallback } from "xstate";
import type { EventObject } from "xstate";
import { createActors } from "../../actors/index.js";
import type { LifeSite } from "../../actors/lifePorts.js";
import type { Clock } from "../../clock.js";
import type { Order } from "../../events.js";
import { createServerMachine } from "../../machines/server.js";
import { createSupervisorMachine } from "../../machines/supervisor.js";
import type { SupervisorMachine } from "../../machines/supervisor.js";

/** What the charts of one supervisor ask of it. */
export interface ChartHost {
  readonly clock: Clock;
  readonly random: () => number;
  site(id: string): LifeSite;
  /** Hands over every order of the bus until it is told to end. */
  orders(take: (order: Order) => void): () => void;
}

/** The machines of one supervisor and the effects they invoke, lent to it until it gives them back. */
export interface Charts {
  readonly machine: SupervisorMachine;
  /** Nothing of what has ended is needed any more. */
  forget(id: string): void;
  /** Ends every life at once; does nothing after `giveBack`. */
  killAll(): void;
  /** When the root actor has stopped. */
  giveBack(): void;
}

interface Loan {
  readonly machine: SupervisorMachine;
  readonly effects: ReturnType<typeof createActors>;
  host: ChartHost | undefined;
}

/** Hosts have one supervisor, tests a few at a time. */
const kept = 4;
const free: Loan[] = [];

/**
 * Charts for a supervisor. Reading a chart costs XState more than the whole life of a small fleet, so those of a
 * supervisor that has ended serve the next one; what they ask goes to whoever has them.
 */
export function lendCharts(host: ChartHost): Charts {
  const loan = free.pop() ?? newLoan();
  loan.host = host;
  return {
    machine: loan.machine,
    forget: (id) => loan.effects.forget(id),
    killAll() {
      if (loan.host === host) loan.effects.killAll();
    },
    giveBack() {
      // What did not end in time may still want its machines, so that nobody else gets them.
      if (loan.host !== host || !loan.effects.idle) return;
      loan.host = undefined;
      if (free.length < kept) free.push(loan);
    },
  };
}

function newLoan(): Loan {
  const host = (): ChartHost => {
    if (loan.host === undefined) throw new Error("the machines of a supervisor that has ended still run");
    return loan.host;
  };
  const effects = createActors({ site: (id) => host().site(id) });
  const orders = fromCallback<EventObject>(({ sendBack }) => host().orders((order) => sendBack(order)));
  const server = createServerMachine({
    now: () => host().clock.now(),
    random: () => host().random(),
  }).provide({ actors: effects.actors });
  const loan: Loan = {
    host: undefined,
    effects,
    machine: createSupervisorMachine(server).provide({ actors: { orders } }),
  };
  return loan;
}
