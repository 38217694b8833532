import { fromCallback } from "xstate";
import type { EventObject } from "xstate";
import { createActors } from "../../actors/index.js";
import type { LifePorts } from "../../actors/lifePorts.js";
import type { Clock } from "../../clock.js";
import type { Order } from "../../events.js";
import { createServerMachine } from "../../machines/server.js";
import { createSupervisorMachine } from "../../machines/supervisor.js";
import type { SupervisorMachine } from "../../machines/supervisor.js";

/** What the charts of one supervisor ask of it. */
export interface ChartPorts {
  readonly clock: Clock;
  readonly random: () => number;
  lifePorts(id: string): LifePorts;
  /** Hands over every order of the bus until it is told to end. */
  orders(take: (order: Order) => void): () => void;
}

/** The machines of one supervisor and the effects they invoke, its own until it releases them. */
export interface Charts {
  readonly machine: SupervisorMachine;
  /** Nothing of what has ended is needed any more. */
  forget(id: string): void;
  /** Ends every life at once; does nothing after `release`. */
  killAll(): void;
  /** When the root actor has stopped. */
  release(): void;
}

interface PooledCharts {
  readonly machine: SupervisorMachine;
  readonly effects: ReturnType<typeof createActors>;
  ports: ChartPorts | undefined;
}

/** Hosts have one supervisor, tests a few at a time. */
const kept = 4;
const free: PooledCharts[] = [];

/**
 * Charts for a supervisor. Reading a chart costs XState more than the whole life of a small fleet, so those of a
 * supervisor that has ended serve the next one; what they ask goes to whoever has them.
 */
export function acquireCharts(ports: ChartPorts): Charts {
  const pooled = free.pop() ?? newCharts();
  pooled.ports = ports;
  return {
    machine: pooled.machine,
    forget: (id) => pooled.effects.forget(id),
    killAll() {
      if (pooled.ports === ports) pooled.effects.killAll();
    },
    release() {
      // What did not end in time may still want its machines, so that nobody else gets them.
      if (pooled.ports !== ports || !pooled.effects.idle) return;
      pooled.ports = undefined;
      if (free.length < kept) free.push(pooled);
    },
  };
}

function newCharts(): PooledCharts {
  const ports = (): ChartPorts => {
    if (pooled.ports === undefined) throw new Error("the machines of a supervisor that has ended still run");
    return pooled.ports;
  };
  const effects = createActors({ ports: (id) => ports().lifePorts(id) });
  const orders = fromCallback<EventObject>(({ sendBack }) => ports().orders((order) => sendBack(order)));
  const server = createServerMachine({
    now: () => ports().clock.now(),
    random: () => ports().random(),
  }).provide({ actors: effects.actors });
  const pooled: PooledCharts = {
    ports: undefined,
    effects,
    machine: createSupervisorMachine(server).provide({ actors: { orders } }),
  };
  return pooled;
}
