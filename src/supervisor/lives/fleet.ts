import type { ServerSpec } from "../../spec.js";
import { createMasker } from "../../policy/secrets.js";
import type { ServerOrder, ServerPlan } from "../../machines/contract.js";
import type { ServerActor } from "../../machines/server.js";
import { summary } from "../../machines/summary.js";
import type { ServerEmitted } from "../../machines/serverContext.js";
import type { CatalogCache } from "./catalogCache.js";
import type { SharedState } from "../state/sharedState.js";
import type { WaitingCalls } from "../state/waitingCalls.js";
import { ownerOfLife, ownSpec, ownSpecs } from "./ownLife.js";
import { planOf } from "./plan.js";
import { tellTools } from "./tellTools.js";
import { StartGate } from "./startGate.js";
import { createServerRecord } from "../state/serverRecord.js";
import type { ServerRecord } from "../state/serverRecord.js";
import { applyState } from "./applyState.js";

/** The supervisor machine as the fleet needs it. */
export interface ServerMachines {
  add(id: string, name: string, plan: ServerPlan): void;
  remove(id: string): void;
  order(id: string, order: ServerOrder): void;
}

/** Keeps the servers in step with the specs: adds, renews, removes, and passes on what the machines tell. */
export class Fleet {
  readonly #shared: SharedState;
  readonly #waiting: WaitingCalls;
  readonly #machines: ServerMachines;
  readonly #gate: StartGate;
  /** What the next machine of an id is made for. */
  readonly #specs = new Map<string, ServerSpec>();
  readonly #cache: CatalogCache;
  /** Servers that were removed and whose machine may not have ended yet. */
  readonly #leaving = new Set<string>();
  #offered: Promise<void>[] = [];
  #started = false;

  constructor(
    shared: SharedState,
    waiting: WaitingCalls,
    machines: ServerMachines,
    cache: CatalogCache,
    parallelStarts: number,
  ) {
    this.#cache = cache;
    this.#shared = shared;
    this.#waiting = waiting;
    this.#machines = machines;
    this.#gate = new StartGate(parallelStarts, (record) => record.actor?.send({ type: "start" }));
  }

  /** Makes `specs` the fleet; returns what changed. Equal fingerprints keep their process. */
  apply(configured: readonly ServerSpec[]): { added: string[]; removed: string[]; changed: string[] } {
    const specs = [...configured, ...ownSpecs(this.#specs.keys(), configured)];
    const wanted = new Map(specs.map((spec) => [spec.id, spec]));
    const change = { added: [] as string[], removed: [] as string[], changed: [] as string[] };
    for (const id of this.#specs.keys()) if (!wanted.has(id)) change.removed.push(id);
    this.#configureCatalog(configured);
    for (const id of change.removed) this.#remove(id);
    for (const spec of specs) {
      const record = this.#shared.records.get(spec.id);
      if (!this.#specs.has(spec.id) || record === undefined) {
        this.#add(spec);
        change.added.push(spec.id);
      } else if (this.#leaving.has(spec.id)) {
        // Its next machine is made once the old one is gone: nothing may be told to the old one any more.
        if (JSON.stringify(this.#specs.get(spec.id)) !== JSON.stringify(spec)) change.changed.push(spec.id);
        this.#add(spec);
      } else if (this.#update(record, spec)) change.changed.push(spec.id);
    }
    return change;
  }

  /** Resolves when the cached tools of lazy servers are offered. */
  async offered(): Promise<void> {
    await Promise.all(this.#offered.splice(0));
  }

  start(): void {
    this.#started = true;
    for (const record of this.#shared.records.values()) this.#gate.enter(record);
  }

  /** A machine is there and has not begun: from here on its server record follows it. */
  adopt(id: string, actor: ServerActor): void {
    const spec = this.#specs.get(id);
    if (spec === undefined) return;
    // The end of a removed machine of this id has taken its tools out of the catalog.
    if (this.#leaving.delete(id))
      this.#configureCatalog([...this.#specs.values()].filter((each) => ownerOfLife(each.id) === undefined));
    const record = createServerRecord(spec, this.#shared.clock.now());
    record.actor = actor;
    // The machine has decided where to begin before anybody could listen.
    const { state, cause } = summary(actor.getSnapshot());
    Object.assign(record, { state, cause });
    this.#shared.records.set(id, record);
    actor.on("*", (told) => this.#told(record, told));
    this.#offered.push(this.#cache.offer(record));
    if (this.#started) this.#gate.enter(record);
  }

  /** The record of the life that a consumer has to itself, made with its first use; a shared server's own otherwise. */
  ownOf(record: ServerRecord, consumer: string): ServerRecord {
    const { spec } = record;
    // What a project file runs was approved for one process.
    if (spec.sharing !== "consumer" || spec.scope === "project" || this.#shared.closed !== undefined)
      return record;
    const own = ownSpec(spec, consumer);
    if (!this.#specs.has(own.id)) this.#add(own);
    return this.#shared.records.get(own.id) ?? record;
  }

  #configureCatalog(specs: readonly ServerSpec[]): void {
    for (const [id, change] of this.#shared.catalog.configure(specs)) tellTools(this.#shared, id, change);
  }

  #add(spec: ServerSpec): void {
    this.#specs.set(spec.id, spec);
    this.#machines.add(spec.id, spec.name, planOf(spec));
  }

  #remove(id: string): void {
    this.#specs.delete(id);
    this.#leaving.add(id);
    this.#machines.remove(id);
  }

  /** True when anything about the server is new; the process is renewed only when it would differ. */
  #update(record: ServerRecord, spec: ServerSpec): boolean {
    const before = record.spec;
    this.#specs.set(spec.id, spec);
    record.spec = spec;
    // A life of before the change may go on for a while, and its secrets are secrets still.
    record.mask = createMasker([...spec.secrets, ...(record.life?.spec.secrets ?? []), ...record.learned]);
    const renew = madeFor(record, before) !== spec.fingerprint;
    // What did not come up is wanted no more.
    if (!renew) record.warnings.delete("replacement");
    const plan = planOf(spec);
    if (!renew && JSON.stringify(plan) === JSON.stringify(planOf(before)))
      return JSON.stringify(before) !== JSON.stringify(spec);
    this.#machines.order(record.id, { type: "configure", plan, renew });
    return true;
  }

  #told(record: ServerRecord, told: ServerEmitted): void {
    switch (told.type) {
      case "state":
        applyState(record, told, this.#shared, this.#waiting);
        this.#gate.left(record);
        for (const watcher of record.watchers) watcher();
        return;
      case "note":
        record.warnings.set("note", told.message);
        return this.#shared.bus.publish({
          type: "mcp.log",
          id: record.id,
          level: "warning",
          message: told.message,
        });
      case "refused":
        return onRefused(record, told, this.#waiting);
    }
  }
}

/** The configuration that the newest connection was made for; after a failed replacement that is an older one. */
function madeFor({ successor, live }: ServerRecord, { fingerprint }: ServerSpec): string {
  return (successor ?? live)?.spec.fingerprint ?? fingerprint;
}

function onRefused(
  record: ServerRecord,
  told: ServerEmitted & { type: "refused" },
  waiting: WaitingCalls,
): void {
  const retry = told.retryAfterMs === undefined ? {} : { retryAfterMs: told.retryAfterMs };
  waiting.failWaiting(record, { ...told.cause, ...retry });
}
