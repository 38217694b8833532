import type { Life } from "../../actors/life.js";
import type { LifePorts } from "../../actors/lifePorts.js";
import type { Limits } from "../../spec.js";
import type { RawTool } from "../../protocol/mcp.js";
import { ownerOf } from "../../protocol/behalfOwner.js";
import { isRecord } from "../../protocol/serverInfo.js";
import type { Listing } from "../../rpc/listing.js";
import { cleanTools } from "../../tools/hygiene.js";
import type { CleanTools } from "../../tools/hygiene.js";
import { withValidHeaders } from "../../tools/paramHeaders.js";
import type { CatalogCache } from "./catalogCache.js";
import type { SharedState } from "../state/sharedState.js";
import { Questions } from "./questions.js";
import { createServerLog } from "./serverLog.js";
import { tellTools } from "./tellTools.js";
import type { OpenTransport } from "./transports.js";
import type { ServerRecord } from "../state/serverRecord.js";

/** What the lives of one server need from its supervisor, and where they tell what they found. */
export function createLifePorts(
  record: ServerRecord,
  shared: SharedState,
  openTransport: OpenTransport,
  cache: CatalogCache,
): LifePorts {
  const { clock, deadlines, identity } = shared;
  const questions = new Map<Life, Questions>();
  const log = createServerLog(record, shared);
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
    const known = questions.get(life) ?? new Questions(record, shared);
    questions.set(life, known);
    return known;
  }

  function listed(life: Life, { items, warnings }: Listing): { tools: number; hash: string } {
    const clean = cleaned(items, life.spec.limits);
    const { tools, warnings: bad } = checked(life, clean.tools);
    if (life.isSuccessor) return { tools: tools.length, hash: "" };
    for (const key of record.warnings.keys()) if (key.startsWith("list:")) record.warnings.delete(key);
    [...warnings, ...clean.warnings, ...bad].forEach((text, at) =>
      record.warnings.set(`list:${at}`, record.mask(text)),
    );
    const change = shared.catalog.setTools(record.id, tools);
    if (tellTools(shared, record.id, change)) {
      revision++;
      cache.keep(record, tools, life.spec);
    }
    return { tools: tools.length, hash: String(revision) };
  }

  return {
    spec: () => record.spec,
    transport: openTransport,
    eras: shared.eras,
    logLevel: shared.logLevel,
    mask: (text) => record.mask(text),
    warn(kind, message) {
      if (!record.warnings.has(kind)) {
        shared.bus.publish({
          type: "mcp.log",
          id: record.id,
          level: "warning",
          message: `server "${record.spec.name}": ${message}`,
        });
      }
      record.warnings.set(kind, message);
    },
    preparing(life) {
      record.successor = life;
    },
    opened(life) {
      record.life = life;
      if (record.successor === life) record.successor = undefined;
    },
    replaced(life) {
      if (record.live === life) record.live = undefined;
    },
    ended(life) {
      questions.get(life)?.end();
      questions.delete(life);
      if (record.live === life) record.live = undefined;
      if (record.successor === life) record.successor = undefined;
    },
    reaped(life, end) {
      if (record.life === life) record.life = undefined;
      record.lastEnd = end;
    },
    recogniser: () => shared.catalog.recogniser(record.id),
    listed,
    whyEnding: () => record.cause,
    notified(life, method, params, about) {
      const list = changedList(method);
      if (list !== undefined) shared.bus.publish({ type: "mcp.lists", id: record.id, list });
      if (method === "notifications/message") {
        log(params);
        const owner = ownerOf(about, [...(life.channel?.requests() ?? [])]);
        if (isRecord(params) && owner !== undefined && owner !== "nobody knows") owner.onLog?.(params);
      }
      if (method === "notifications/cancelled" && isRecord(params))
        questions.get(life)?.cancelled(params["requestId"]);
      else record.library?.notified(method, params);
    },
    asked: (life, method, params, id, about) =>
      questionsOf(life).ask(method, params, id, life.channel, about),
    quiet: (life) => whenQuiet(record, life ?? record),
    identity,
    clock,
    deadlines,
  };
}

/** The list that a notification says has changed. */
function changedList(method: string): "tools" | "resources" | "prompts" | undefined {
  const list = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method)?.[1];
  return list as "tools" | "resources" | "prompts" | undefined;
}

/** Resolves when nothing is in flight there. */
function whenQuiet(record: ServerRecord, where: Life | ServerRecord): Promise<void> {
  if (where.inFlight === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (where.inFlight > 0) return;
      record.quietListeners.delete(look);
      resolve();
    };
    record.quietListeners.add(look);
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
