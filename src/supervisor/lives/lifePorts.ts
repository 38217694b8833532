import type { Life } from "../../actors/life.js";
import type { LifeSite } from "../../actors/lifePorts.js";
import type { Limits } from "../../spec.js";
import type { RawTool } from "../../protocol/mcp.js";
import { isRecord } from "../../protocol/serverInfo.js";
import type { Listing } from "../../rpc/listing.js";
import { cleanTools } from "../../tools/hygiene.js";
import type { CleanTools } from "../../tools/hygiene.js";
import { withValidHeaders } from "../../tools/paramHeaders.js";
import type { CatalogCache } from "./catalogCache.js";
import type { Desk } from "../state/sharedState.js";
import { Questions } from "./questions.js";
import { createServerLog } from "./serverLog.js";
import { tellTools } from "./tellTools.js";
import type { OpenTransport } from "./transports.js";
import type { Unit } from "../state/serverRecord.js";

/** What the lives of one server need from its supervisor, and where they tell what they found. */
export function createSite(
  unit: Unit,
  desk: Desk,
  openTransport: OpenTransport,
  cache: CatalogCache,
): LifeSite {
  const { clock, deadlines, identity } = desk;
  const questions = new Map<Life, Questions>();
  const log = createServerLog(unit, desk);
  let revision = 0;
  let last: { readonly limits: Limits; readonly clean: CleanTools } | undefined;

  /** A list of the very objects that were found sound is sound. */
  function cleaned(items: readonly unknown[], limits: Limits): CleanTools {
    if (last?.limits === limits && isSame(items, last.clean.tools)) return last.clean;
    const clean = cleanTools(items, limits);
    last = clean.warnings.length === 0 ? { limits, clean } : undefined;
    return clean;
  }

  function questionsOf(life: Life): Questions {
    const known = questions.get(life) ?? new Questions(unit, desk);
    questions.set(life, known);
    return known;
  }

  function listed(life: Life, { items, warnings }: Listing): { tools: number; hash: string } {
    const clean = cleaned(items, life.spec.limits);
    const { tools, warnings: bad } = checked(life, clean.tools);
    if (life.isHeir) return { tools: tools.length, hash: "" };
    for (const key of unit.warnings.keys()) if (key.startsWith("list:")) unit.warnings.delete(key);
    [...warnings, ...clean.warnings, ...bad].forEach((text, at) =>
      unit.warnings.set(`list:${at}`, unit.mask(text)),
    );
    const change = desk.catalog.setTools(unit.id, tools);
    if (tellTools(desk, unit.id, change)) {
      revision++;
      cache.keep(unit, tools, life.spec);
    }
    return { tools: tools.length, hash: String(revision) };
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
    preparing(life) {
      unit.heir = life;
    },
    opened(life) {
      unit.life = life;
      if (unit.heir === life) unit.heir = undefined;
    },
    replaced(life) {
      if (unit.live === life) unit.live = undefined;
    },
    ended(life) {
      questions.get(life)?.end();
      questions.delete(life);
      if (unit.live === life) unit.live = undefined;
      if (unit.heir === life) unit.heir = undefined;
    },
    reaped(life, end) {
      if (unit.life === life) unit.life = undefined;
      unit.lastEnd = end;
    },
    recogniser: () => desk.catalog.recogniser(unit.id),
    listed,
    whyEnding: () => unit.cause,
    notified(life, method, params) {
      if (method === "notifications/message") log(params);
      else if (method === "notifications/cancelled" && isRecord(params))
        questions.get(life)?.cancelled(params["requestId"]);
      else unit.library?.notified(method, params);
    },
    asked: (life, method, params, id) => questionsOf(life).ask(method, params, id, life.channel),
    quiet: (life) => whenQuiet(unit, life ?? unit),
    identity,
    clock,
    deadlines,
  };
}

/** Resolves when nothing is in flight there. */
function whenQuiet(unit: Unit, where: Life | Unit): Promise<void> {
  if (where.inFlight === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (where.inFlight > 0) return;
      unit.quietListeners.delete(look);
      resolve();
    };
    unit.quietListeners.add(look);
  });
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at]);
}

/** Over HTTP a server of 2026-07-28 may mark arguments as headers; tools with invalid marks are withheld. */
function checked({ channel }: Life, tools: readonly RawTool[]): ReturnType<typeof withValidHeaders> {
  const marksCount = channel?.codec.modern === true && channel.transport.kind === "http";
  return marksCount ? withValidHeaders(tools) : { tools, warnings: [] };
}
