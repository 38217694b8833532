import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readStore, writeStore } from "../../config/store/records.js";
import type { ServerSpec } from "../../spec.js";
import type { RawTool } from "../../protocol/mcp.js";
import { cleanTools } from "../../tools/hygiene.js";
import type { Desk } from "../state/sharedState.js";
import { tellTools } from "./tellTools.js";
import type { Unit } from "../state/serverRecord.js";

/** The tools of lazy servers as their last session listed them, so that they can be offered before the first call. */
export interface CatalogCache {
  /** Offers what is known of a server that has not listed yet, marked as cached. */
  offer(unit: Unit): Promise<void>;
  /** Keeps what a lazy server has just listed, as that of this configuration. */
  keep(unit: Unit, tools: readonly RawTool[], of: ServerSpec): void;
  close(): Promise<void>;
}

/** Nothing is kept between two runs. */
const forgetful: CatalogCache = {
  offer: () => Promise.resolve(),
  keep: () => undefined,
  close: () => Promise.resolve(),
};

export function createCatalogCache(desk: Desk, home: string | undefined): CatalogCache {
  let writing: Promise<void> = Promise.resolve();

  if (home === undefined) return forgetful;
  const folder = join(home, "catalogs");
  const fileOf = (unit: Unit): string => join(folder, `${unit.id}.json`);

  async function write(unit: Unit, tools: readonly RawTool[], fingerprint: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeStore(fileOf(unit), { version: 1, fingerprint, tools });
  }

  return {
    async offer(unit) {
      if (!unit.spec.lazy || !unit.spec.enabled) return;
      const found = await readStore(fileOf(unit));
      const tools = found.kind === "value" ? toolsOf(found.value, unit.spec.fingerprint) : undefined;
      // A session that came up meanwhile knows better.
      if (tools === undefined || unit.generation > 0) return;
      const clean = cleanTools(tools, unit.spec.limits);
      tellTools(desk, unit.id, desk.catalog.setTools(unit.id, clean.tools, { cached: true }));
    },
    keep(unit, tools, { fingerprint }) {
      if (!unit.spec.lazy) return;
      writing = writing
        .then(() => write(unit, tools, fingerprint))
        .catch((error: unknown) => {
          unit.warnings.set(
            "catalog-cache",
            `its list of tools could not be kept for the next start: ${String(error)}`,
          );
        });
    },
    close: () => writing,
  };
}

/** A list is good only for the configuration it was made with. */
function toolsOf(value: unknown, fingerprint: string): unknown[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { fingerprint: of, tools } = value as { fingerprint?: unknown; tools?: unknown };
  return of === fingerprint && Array.isArray(tools) ? tools : undefined;
}
