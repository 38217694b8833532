import type { Catalog } from "../tools/catalog.js";
import { summary } from "../machines/summary.js";
import { targetView } from "./targetView.js";
import type { ServerStatus } from "./contract/status.js";
import type { Unit } from "./state/serverRecord.js";

/** What a host sees of a server; no secrets, a fresh object each time. */
export function statusOf(unit: Unit, catalog: Catalog): ServerStatus {
  const { spec, life, live, nextAttemptAt, lastError } = unit;
  const session = life?.session;
  const latency = unit.latency.percentiles();
  return {
    id: unit.id,
    name: spec.name,
    scope: spec.scope,
    ...(spec.file === undefined ? {} : { file: spec.file }),
    ...(spec.hides === undefined ? {} : { hides: spec.hides }),
    transport: spec.target.kind,
    enabled: spec.enabled,
    trusted: spec.trusted,
    state: unit.state,
    since: unit.since,
    cause: unit.cause,
    generation: unit.generation,
    ...(session === undefined
      ? {}
      : { protocolVersion: session.protocolVersion, serverInfo: session.server }),
    ...(session?.instructions === undefined ? {} : { instructions: session.instructions }),
    ...(live === undefined || live.spec.fingerprint === spec.fingerprint ? {} : { outdated: true as const }),
    toolCount: catalog.count(unit.id),
    pids: life?.transport?.pids() ?? [],
    restarts: unit.actor === undefined ? 0 : summary(unit.actor.getSnapshot()).restarts,
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }),
    ...(lastError === undefined ? {} : { lastError }),
    inFlight: unit.inFlight,
    queued: unit.queue.size,
    calls: unit.calls,
    failures: unit.failures,
    ...(latency === undefined ? {} : { latency }),
    warnings: [...unit.warnings.values()],
    target: targetView(live?.spec ?? spec),
    stderrTail: (life?.transport?.stderrTail() ?? []).map(unit.mask),
  };
}
