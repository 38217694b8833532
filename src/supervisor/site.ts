import type { Life } from "../actors/life.js";
import type { LifeSite } from "../actors/site.js";
import type { Listing } from "../rpc/listing.js";
import { cleanTools } from "../tools/hygiene.js";
import type { CatalogCache } from "./catalogCache.js";
import type { Desk } from "./desk.js";
import { tellTools } from "./tellTools.js";
import type { OpenTransport } from "./transports.js";
import type { Unit } from "./unit.js";

/** What the lives of one server need from its supervisor, and where they tell what they found. */
export function createSite(
  unit: Unit,
  desk: Desk,
  openTransport: OpenTransport,
  cache: CatalogCache,
): LifeSite {
  const { clock, deadlines, identity } = desk;
  let revision = 0;

  function listed(life: Life, { items, warnings }: Listing): { tools: number; hash: string } {
    const clean = cleanTools(items, life.spec.limits);
    for (const key of unit.warnings.keys()) if (key.startsWith("list:")) unit.warnings.delete(key);
    [...warnings, ...clean.warnings].forEach((text, at) => unit.warnings.set(`list:${at}`, unit.mask(text)));
    const change = desk.catalog.setTools(unit.id, clean.tools);
    if (tellTools(desk, unit.id, change)) {
      revision++;
      cache.keep(unit, clean.tools);
    }
    return { tools: clean.tools.length, hash: String(revision) };
  }

  return {
    spec: () => unit.spec,
    transport: openTransport,
    eras: desk.eras,
    logLevel: desk.logLevel,
    mask: (text) => unit.mask(text),
    warn(kind, message) {
      if (!unit.warnings.has(kind)) {
        desk.bus.publish({
          type: "mcp.log",
          id: unit.id,
          level: "warning",
          message: `server "${unit.spec.name}": ${message}`,
        });
      }
      unit.warnings.set(kind, message);
    },
    opened(life) {
      unit.life = life;
    },
    ended(life) {
      if (unit.live === life) unit.live = undefined;
    },
    reaped(life, end) {
      if (unit.life === life) unit.life = undefined;
      unit.lastEnd = end;
    },
    listed,
    whyEnding: () => unit.cause,
    notified: () => undefined,
    asked: () => undefined,
    quiet: () =>
      unit.inFlight === 0 ? Promise.resolve() : new Promise((resolve) => unit.quietListeners.push(resolve)),
    identity,
    clock,
    deadlines,
  };
}
