import type { Observable } from "rxjs";
import { isServing } from "../index.js";
import type { Fact, FactOf, ServerState } from "../index.js";
import { serverPaths } from "../inner.js";
import type { InvariantOptions, Invariants, Rest, Rule, Violation } from "./invariantTypes.js";

export type { InvariantOptions, Invariants, Rest, Rule, Violation } from "./invariantTypes.js";

/** Checks the facts of any supervisor as they come, for example `watchInvariants(supervisor.events$)`. */
export function watchInvariants(events$: Observable<Fact>, options: InvariantOptions = {}): Invariants {
  const checker = createInvariants(options);
  const subscription = events$.subscribe((fact) => checker.see(fact));
  return Object.assign(checker, { close: () => subscription.unsubscribe() });
}

/** Checks facts that were collected before, in their order. */
export function checkInvariants(
  facts: readonly Fact[],
  rest: Rest = {},
  options: InvariantOptions = {},
): readonly Violation[] {
  const checker = createInvariants(options);
  for (const fact of facts) checker.see(fact);
  return checker.finish(rest);
}

export function createInvariants(options: InvariantOptions = {}): Invariants {
  return new Checker(options);
}

interface ServerHistory {
  state: ServerState | "new";
  generation: number;
  /** The life that takes the calls, or is to: begun and not reaped. One that it has replaced is none any more. */
  alive: number | undefined;
  /** Another life was to replace this one. */
  tried: boolean;
  /** Times in service, newest last; the open one ends at Infinity. */
  readonly service: { readonly from: number; until: number }[];
}

const recoverWithinMs = 35_000;
const grace = 250;

class Checker implements Invariants {
  readonly violations: Violation[] = [];
  readonly #options: InvariantOptions;
  readonly #started = new Map<string, number>();
  readonly #settled = new Set<string>();
  readonly #servers = new Map<string, ServerHistory>();
  #lastSeq = 0;
  #lastAt = 0;

  constructor(options: InvariantOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#started.size;
  }

  see(fact: Fact): void {
    if (this.#lastSeq !== 0 && fact.seq !== this.#lastSeq + 1) {
      this.#broken("order", `fact ${fact.seq} came after fact ${this.#lastSeq}`, fact);
    }
    this.#lastSeq = fact.seq;
    this.#lastAt = fact.at;
    if (fact.type === "mcp.call.started") this.#onStarted(fact);
    if (fact.type === "mcp.call.settled") this.#onSettled(fact);
    if (fact.type === "mcp.state") this.#onState(fact);
  }

  finish(rest: Rest = {}): readonly Violation[] {
    for (const [call, at] of this.#started) {
      this.#broken("settled-once", `call ${call}, started at ${at}, has not settled`);
    }
    this.checkRecovery(rest);
    for (const [what, count] of Object.entries(rest.left ?? {})) {
      if (count > 0) this.#broken("nothing-left", `${count} ${what} left`);
    }
    return this.violations;
  }

  checkRecovery(rest: Rest): void {
    for (const id of rest.healthy ?? []) this.#checkRecovery(id, rest);
  }

  close(): void {
    // A checker that is fed by hand holds nothing.
  }

  #onStarted(fact: FactOf<"mcp.call.started">): void {
    if (this.#started.has(fact.call) || this.#settled.has(fact.call)) {
      this.#broken("settled-once", `call ${fact.call} started twice`, fact);
    }
    this.#started.set(fact.call, fact.at);
  }

  #onSettled(fact: FactOf<"mcp.call.settled">): void {
    const startedAt = this.#started.get(fact.call);
    this.#started.delete(fact.call);
    if (this.#settled.has(fact.call)) this.#broken("settled-once", `call ${fact.call} settled twice`, fact);
    this.#settled.add(fact.call);
    const { longestCallMs } = this.#options;
    if (longestCallMs === undefined || startedAt === undefined) return;
    const took = fact.at - startedAt;
    if (took > longestCallMs + grace)
      this.#broken("settled-in-time", `call ${fact.call} took ${took} ms`, fact);
  }

  #onState(fact: FactOf<"mcp.state">): void {
    const { id, from, to, generation } = fact;
    // A stream may be joined late, and an id may come back after it was removed: the first fact tells where it was.
    const before = this.#servers.get(id);
    const known = before?.state === "retired" ? undefined : before;
    const server = known ?? { state: from, generation, alive: undefined, tried: false, service: [] };
    this.#servers.set(id, server);
    if (from !== server.state)
      this.#broken("path", `${id}: leaves ${from}, but was in ${server.state}`, fact);
    if (!serverPaths[from].includes(to)) this.#broken("path", `${id}: no way from ${from} to ${to}`, fact);
    this.#checkLives(server, fact, known === undefined);
    server.state = to;
    server.generation = generation;
    keepService(server, from, to, fact.at);
  }

  #checkLives(server: ServerHistory, fact: FactOf<"mcp.state">, isFirst: boolean): void {
    const { id, to, from, generation } = fact;
    if (to === "connecting") {
      if (server.alive !== undefined)
        this.#broken("one-life", `${id}: life ${generation} began before ${server.alive} ended`, fact);
      this.#checkNumber(server, fact, isFirst);
      server.alive = generation;
    } else if (from === "replacing" && to === "ready" && generation !== server.generation) {
      // The one before drains: no call goes to it any more.
      this.#checkNumber(server, fact, isFirst);
      server.alive = generation;
    } else if (!isFirst && generation !== server.generation) {
      this.#broken("one-life", `${id}: generation ${generation} without connecting`, fact);
    }
    if (to === "replacing") server.tried = true;
    if (from === "closing" && to === "deciding") server.alive = undefined;
  }

  /** Numbers follow one another; those of lives that were to replace this one and did not come up are never given again. */
  #checkNumber(server: ServerHistory, fact: FactOf<"mcp.state">, isFirst: boolean): void {
    const { id, generation } = fact;
    const next = server.generation + 1;
    const follows = server.tried ? generation >= next : generation === next;
    if (!isFirst && !follows)
      this.#broken("one-life", `${id}: life ${generation} follows ${server.generation}`, fact);
    server.tried = false;
  }

  #checkRecovery(id: string, { lastFaultAt = 0, recoverWithinMs: within = recoverWithinMs }: Rest): void {
    const server = this.#servers.get(id);
    const first = server?.service.find(({ until }) => until >= lastFaultAt);
    if (server === undefined || first === undefined)
      return this.#broken("recovers", `${id}: is ${server?.state ?? "unknown"}, and was not ready again`);
    const late = first.from - lastFaultAt - within;
    if (late > 0) this.#broken("recovers", `${id}: was ready ${late} ms too late`);
  }

  #broken(rule: Rule, message: string, fact?: Fact): void {
    const at = fact === undefined ? ` (last fact ${this.#lastSeq} at ${this.#lastAt})` : "";
    this.violations.push({ rule, message: message + at, ...(fact === undefined ? {} : { seq: fact.seq }) });
  }
}

const servicesKept = 100;

function keepService(
  { service }: ServerHistory,
  from: ServerState | "new",
  to: ServerState,
  at: number,
): void {
  if (!isServing(from) && isServing(to)) {
    service.push({ from: at, until: Infinity });
    if (service.length > servicesKept) service.shift();
  }
  const last = service.at(-1);
  if (last !== undefined && isServing(from) && !isServing(to)) last.until = at;
}
