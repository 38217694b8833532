import { changeShared } from "../../keep/shared.js";
import { isRecord } from "../contract/protocol.js";
import type { ConsumerRecord } from "./consumers.js";
import type { StoredConsumers } from "./store.js";
import { consumersPath, readConsumersFile } from "./store.js";

/**
 * Writes what changed since `before` (what was loaded or saved last; nothing, when left out) into `consumers.json`:
 * what another process wrote meanwhile stays, and so does what could not be read. Readers see the file as it was or as
 * it is, never half of it; only this user may read it.
 */
export async function saveConsumers(
  home: string,
  records: readonly ConsumerRecord[],
  unnamed: string | undefined,
  before: Pick<StoredConsumers, "records" | "unnamed"> = { records: [], unnamed: undefined },
): Promise<void> {
  const path = consumersPath(home);
  await changeShared(path, { waitMs: 20_000 }, async (held) => {
    const file = (await readConsumersFile(path)) ?? {};
    const stored = new Map(Object.entries(isRecord(file["consumers"]) ? file["consumers"] : {}));
    for (const { name } of before.records)
      if (records.every((each) => each.name !== name)) stored.delete(name);
    for (const record of records) {
      const old = before.records.find((each) => each.name === record.name);
      const merged = merge(record, old, stored.get(record.name));
      if (merged !== undefined) stored.set(record.name, merged);
    }
    const name = unnamed === before.unnamed ? file["unnamed"] : unnamed;
    const next = { ...file, unnamed: name ?? "none", consumers: Object.fromEntries(stored) };
    await held.write(`${JSON.stringify(next, null, 2)}\n`);
  });
}

/** What is to be stored of a consumer; undefined when another process removed it and nothing of ours is newer. */
function merge(ours: ConsumerRecord, old: ConsumerRecord | undefined, stored: unknown): unknown {
  const { token, ...config } = isRecord(stored) ? stored : { token: undefined };
  const isConfigNew = JSON.stringify(ours.config) !== JSON.stringify(old?.config);
  const isTokenNew = ours.token?.hash !== old?.token?.hash;
  if (stored === undefined && old !== undefined && !isConfigNew && !isTokenNew) return undefined;
  const kept = isTokenNew || stored === undefined ? ours.token : used(token, ours.token);
  return {
    ...(isConfigNew || stored === undefined ? ours.config : config),
    ...(kept === undefined ? {} : { token: kept }),
  };
}

/** A token as it is stored, with the later of two times of its last use. */
function used(stored: unknown, ours: ConsumerRecord["token"]): unknown {
  if (!isRecord(stored) || ours?.lastUsedAt === undefined || stored["hash"] !== ours.hash) return stored;
  const before = stored["lastUsedAt"];
  return { ...stored, lastUsedAt: Math.max(ours.lastUsedAt, typeof before === "number" ? before : 0) };
}
