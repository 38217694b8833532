import { isServerFailure, serverMs } from "../../../callFacts.js";
import type { Cause, Fact, ServerState } from "../../../index.js";

/** One step of a server on its state chart. */
export interface Step {
  readonly seq: number;
  readonly at: number;
  readonly generation: number;
  readonly from: ServerState | "new";
  readonly to: ServerState;
  readonly cause: Cause;
}

export interface LiveCall {
  readonly call: string;
  readonly server: string;
  readonly tool: string;
  readonly startedAt: number;
  /** The consumer of the gateway that called. */
  readonly consumer?: string;
  readonly progress?: number;
  readonly total?: number;
  /** The question that it waits for. */
  readonly waits?: string;
}

export interface SettledCall {
  readonly at: number;
  readonly server: string;
  readonly ms: number;
  readonly ok: boolean;
}

/** What the page keeps of the past; plain data, made from facts only. */
export interface History {
  readonly facts: readonly Fact[];
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  readonly live: ReadonlyMap<string, LiveCall>;
  readonly settled: readonly SettledCall[];
}

export const emptyHistory: History = { facts: [], steps: new Map(), live: new Map(), settled: [] };

const keep = { facts: 5000, steps: 60, settled: 20_000 };

/** The history after these facts. Pure. */
export function learn(history: History, facts: readonly Fact[]): History {
  const steps = new Map(history.steps);
  const live = new Map(history.live);
  const settled: SettledCall[] = [];
  for (const fact of facts) {
    switch (fact.type) {
      case "mcp.state":
        steps.set(fact.id, [...(steps.get(fact.id) ?? []), stepOf(fact)].slice(-keep.steps));
        break;
      case "mcp.call.started":
        live.set(fact.call, {
          call: fact.call,
          server: fact.id,
          tool: fact.tool,
          startedAt: fact.at,
          ...(fact.consumer === undefined ? {} : { consumer: fact.consumer }),
        });
        break;
      case "mcp.call.progress": {
        const call = live.get(fact.call);
        if (call !== undefined) live.set(fact.call, { ...call, ...progressOf(fact) });
        break;
      }
      case "mcp.approval.requested": {
        const call = fact.call === undefined ? undefined : live.get(fact.call);
        if (call !== undefined) live.set(call.call, { ...call, waits: fact.approval });
        break;
      }
      case "mcp.approval.decided": {
        const waiting = [...live.values()].find(({ waits }) => waits === fact.approval);
        // Its clock begins when a person has decided.
        if (waiting !== undefined) live.set(waiting.call, going(waiting, fact.at));
        break;
      }
      case "mcp.call.settled":
        live.delete(fact.call);
        if (fact.sent === "no" && isGood(fact)) break;
        settled.push({ at: fact.at, server: fact.id, ms: serverMs(fact), ok: isGood(fact) });
        break;
      default:
    }
  }
  return {
    facts: [...history.facts, ...facts].slice(-keep.facts),
    steps,
    live,
    settled: [...history.settled, ...settled].slice(-keep.settled),
  };
}

function going({ call, server, tool }: LiveCall, startedAt: number): LiveCall {
  return { call, server, tool, startedAt };
}

/** Whether its server did what it was there for: a call that a person denied is no fault of it. */
function isGood(fact: Extract<Fact, { type: "mcp.call.settled" }>): boolean {
  return fact.ok || !isServerFailure(fact.failure ?? "internal");
}

function stepOf(fact: Extract<Fact, { type: "mcp.state" }>): Step {
  const { seq, at, generation, from, to, cause } = fact;
  return { seq, at, generation, from, to, cause };
}

function progressOf({ progress, total }: { progress: number; total?: number }): Partial<LiveCall> {
  return total === undefined ? { progress } : { progress, total };
}
