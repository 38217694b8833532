import type { Catalog } from "../tools/catalog.js";
import { summary } from "../machines/summary.js";
import { viewOf } from "../config/store/view.js";
import { escapeDeep } from "../hiddenText.js";
import { maskDeep } from "../policy/secrets.js";
import type { ServerStatus } from "./contract/status.js";
import type { ServerRecord } from "./state/serverRecord.js";

/** What a host sees of a server; no secrets, a fresh object each time. */
export function statusOf(record: ServerRecord, catalog: Catalog): ServerStatus {
  const { spec, life, live, nextAttemptAt, lastError } = record;
  const session = life?.session;
  const latency = record.latency.percentiles();
  return {
    id: record.id,
    name: spec.name,
    scope: spec.scope,
    ...(spec.file === undefined ? {} : { file: spec.file }),
    ...(spec.hides === undefined ? {} : { hides: spec.hides }),
    transport: spec.target.kind,
    enabled: spec.enabled,
    trusted: spec.trusted,
    state: record.state,
    since: record.since,
    cause: record.cause,
    generation: record.generation,
    ...(session === undefined
      ? {}
      : { protocolVersion: session.protocolVersion, serverInfo: said(record, session.server) }),
    ...(session === undefined ? {} : { capabilities: session.capabilities }),
    ...(session?.instructions === undefined ? {} : { instructions: said(record, session.instructions) }),
    ...(live === undefined || live.spec.fingerprint === spec.fingerprint ? {} : { outdated: true as const }),
    toolCount: catalog.count(record.id),
    pids: life?.transport?.pids() ?? [],
    restarts: record.actor === undefined ? 0 : summary(record.actor.getSnapshot()).restarts,
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }),
    ...(lastError === undefined ? {} : { lastError }),
    inFlight: record.inFlight,
    queued: record.queue.size,
    calls: record.calls,
    failures: record.failures,
    ...(latency === undefined ? {} : { latency }),
    warnings: [...record.warnings.values()],
    target: viewOf(live?.spec ?? spec),
    stderrTail: (life?.transport?.stderrTail() ?? []).map(record.mask),
  };
}

/** What a server says of itself: masked, and nothing hidden in it; a model may read it. */
function said<T>(record: ServerRecord, value: T): T {
  return escapeDeep(maskDeep(value, record.mask) as T);
}
