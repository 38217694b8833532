import { join } from "node:path";
import { changeStore, readStore } from "../../config/store/records.js";
import type { ServerSpec } from "../../spec.js";
import type { RawTool } from "../../protocol/mcp.js";
import { cleanTools } from "../../tools/hygiene.js";
import type { SharedState } from "../state/sharedState.js";
import { tellTools } from "./tellTools.js";
import type { ServerRecord } from "../state/serverRecord.js";

/** The tools of lazy servers as their last session listed them, so that they can be offered before the first call. */
export interface CatalogCache {
  /** Offers what is known of a server that has not listed yet, marked as cached. */
  offer(record: ServerRecord): Promise<void>;
  /** Keeps what a lazy server has just listed, as that of this configuration. */
  keep(record: ServerRecord, tools: readonly RawTool[], of: ServerSpec): void;
  close(): Promise<void>;
}

/** Nothing is kept between two runs. */
const forgetful: CatalogCache = {
  offer: () => Promise.resolve(),
  keep: () => undefined,
  close: () => Promise.resolve(),
};

/** Lists of one server that are kept, the newest first. */
const mostKept = 8;

export function createCatalogCache(shared: SharedState, home: string | undefined): CatalogCache {
  let writing: Promise<void> = Promise.resolve();

  if (home === undefined) return forgetful;
  const folder = join(home, "catalogs");
  const fileOf = (record: ServerRecord): string => join(folder, `${record.id}.json`);

  async function write(record: ServerRecord, tools: readonly RawTool[], fingerprint: string): Promise<void> {
    await changeStore(fileOf(record), (found) => {
      const others = found.kind === "value" ? listsOf(found.value) : [];
      const rest = others.filter((each) => each.fingerprint !== fingerprint);
      return { version: 2, lists: [{ fingerprint, tools }, ...rest].slice(0, mostKept) };
    });
  }

  return {
    async offer(record) {
      if (!record.spec.lazy || !record.spec.enabled) return;
      const found = await readStore(fileOf(record));
      const tools = found.kind === "value" ? toolsOf(found.value, record.spec.fingerprint) : undefined;
      // A session that came up meanwhile knows better.
      if (tools === undefined || record.generation > 0) return;
      const clean = cleanTools(tools, record.spec.limits);
      tellTools(shared, record.id, shared.catalog.setTools(record.id, clean.tools, { cached: true }));
    },
    keep(record, tools, { fingerprint }) {
      if (!record.spec.lazy) return;
      writing = writing
        .then(() => write(record, tools, fingerprint))
        .catch((error: unknown) => {
          record.warnings.set(
            "catalog-cache",
            `its list of tools could not be kept for the next start: ${String(error)}`,
          );
        });
    },
    close: () => writing,
  };
}

interface KeptList {
  readonly fingerprint: string;
  readonly tools: readonly unknown[];
}

/** A list is good only for the configuration it was made with. */
function toolsOf(value: unknown, fingerprint: string): readonly unknown[] | undefined {
  return listsOf(value).find((each) => each.fingerprint === fingerprint)?.tools;
}

/** One list per configuration: two projects may mean different servers by one id. Version 1 had one list, unwrapped. */
function listsOf(value: unknown): readonly KeptList[] {
  if (typeof value !== "object" || value === null) return [];
  const { lists } = value as { lists?: unknown };
  const found: readonly unknown[] = Array.isArray(lists) ? lists : [value];
  return found.filter(isList);
}

function isList(value: unknown): value is KeptList {
  if (typeof value !== "object" || value === null) return false;
  const { fingerprint, tools } = value as { fingerprint?: unknown; tools?: unknown };
  return typeof fingerprint === "string" && Array.isArray(tools);
}
