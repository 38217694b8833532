import type { RawTool } from "../protocol/mcp.js";
import { pinnedFields, pinOf } from "./pins.js";
import type { Pin, PinStore } from "./pins.js";

/**
 * Reads the text of `<home>/pins.json`. A file that is not there (undefined) is an empty store. One that does not parse,
 * or holds anything but pins, is lost as a whole, because half a store would let changed tools pass as new: the store
 * is then empty and not complete.
 */
export function parsePins(text: string | undefined): PinStore {
  if (text === undefined) return { complete: true, servers: {} };
  const file = json(text);
  if (!isRecord(file) || file["version"] !== 1 || typeof file["complete"] !== "boolean") return lost;
  const servers: Record<string, Readonly<Record<string, Pin>>> = {};
  if (!isRecord(file["servers"])) return lost;
  for (const [server, pins] of Object.entries(file["servers"])) {
    if (!isRecord(pins) || !Object.values(pins).every(isPin)) return lost;
    define(servers, server, pins);
  }
  return { complete: file["complete"], servers };
}

const lost: PinStore = { complete: false, servers: {} };

/** The text of `<home>/pins.json`, with sorted servers and tools, ending in a newline. */
export function serializePins({ complete, servers }: PinStore): string {
  const sorted = sortedEntries(servers).map(
    ([id, pins]) => [id, Object.fromEntries(sortedEntries(pins))] as const,
  );
  return `${JSON.stringify({ version: 1, complete, servers: Object.fromEntries(sorted) }, null, 2)}\n`;
}

/** The stored pin of a tool: nothing for one never seen, `lost` where a broken store may have held it. */
export function findPin(store: PinStore, server: string, tool: string): Pin | undefined | "lost" {
  const pins = Object.hasOwn(store.servers, server) ? store.servers[server] : undefined;
  const pin = pins !== undefined && Object.hasOwn(pins, tool) ? pins[tool] : undefined;
  return pin ?? (store.complete ? undefined : "lost");
}

/** A tool as it is to be pinned: at its first use, or when a person approved its change. */
export interface NewPin {
  readonly server: string;
  readonly tool: RawTool;
  /** What was stored when that was decided: the hash of another definition, nothing, or `lost`. */
  readonly over: string | undefined;
}

/**
 * A store that also holds this tool as it is now; unchanged where it holds something else by now than what was decided
 * about, because another process was first: that one counts, and the tool as changed.
 */
export function addPin(store: PinStore, { server, tool, over }: NewPin): PinStore {
  const stored = findPin(store, server, tool.name);
  return (typeof stored === "object" ? stored.hash : stored) === over ? withPin(store, server, tool) : store;
}

/** A store that also holds this tool as it is now. */
export function withPin(store: PinStore, server: string, tool: RawTool): PinStore {
  const servers = { ...store.servers };
  const pins = { ...(Object.hasOwn(servers, server) ? servers[server] : undefined) };
  define(pins, tool.name, pinOf(tool));
  define(servers, server, pins);
  return { complete: store.complete, servers };
}

/** A plain field whatever its name is, `__proto__` included. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

function sortedEntries<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function isPin(value: unknown): value is Pin {
  if (!isRecord(value) || typeof value["hash"] !== "string" || !/^[0-9a-f]{64}$/.test(value["hash"])) {
    return false;
  }
  const { fields } = value;
  const known: readonly string[] = pinnedFields;
  return (
    isRecord(fields) &&
    Object.entries(fields).every(([field, text]) => known.includes(field) && typeof text === "string")
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // What does not parse is unreadable; the caller says so.
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
