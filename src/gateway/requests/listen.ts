import type { Core } from "./core.js";
import type { Exchange, Peer } from "../consumers/peer.js";
import { codes, failed, isRecord, meta } from "../contract/protocol.js";
import type { Answer, Json } from "../contract/protocol.js";
import { endAll, subscribe } from "./subscriptions.js";
import type { ToldList } from "../view/views.js";

const listKeys: readonly (readonly [string, ToldList])[] = [
  ["toolsListChanged", "tools"],
  ["promptsListChanged", "prompts"],
  ["resourcesListChanged", "resources"],
];
const mostResources = 1000;
/** A server that is not there yet must not hold back the acknowledgement. */
const patienceMs = 1000;

/**
 * A subscription of 2026-07-28: acknowledged first with what is honoured, then each change with the id of the
 * subscription, until the consumer or the gateway ends it.
 */
export async function listen(core: Core, peer: Peer, params: Json, exchange: Exchange): Promise<Answer> {
  const wanted = params["notifications"];
  if (!isRecord(wanted)) return failed(codes.invalidParams, "notifications must be an object");
  const { consumer, only } = peer;
  if (!consumer.meter.take("streams"))
    return failed(codes.limit, "the limit of this consumer is reached (streams)", { what: "streams" });
  const _meta = { [meta.subscription]: exchange.id };
  const lists = new Set(listKeys.filter(([key]) => wanted[key] === true).map(([, list]) => list));
  const open = new Map<string, () => void>();
  const given = wanted["resourceSubscriptions"];
  const uris = (Array.isArray(given) ? given : [])
    .filter((each) => typeof each === "string")
    .slice(0, mostResources);
  let acknowledged = false;
  const early: (() => void)[] = [];
  const tell = (method: string, more: Json = {}): void => {
    const now = (): void => exchange.notify(method, { ...more, _meta });
    if (acknowledged) now();
    else early.push(now);
  };
  const unwatch = core.views.watch(consumer, only, (changed) => {
    for (const list of changed) if (lists.has(list)) tell(`notifications/${list}/list_changed`);
  });
  try {
    const view = core.views.of(consumer, only);
    const honoured = await within(
      patienceMs,
      [...new Set(uris)],
      async (uri) =>
        !(
          "error" in
          (await subscribe(core.fleet, view, uri, open, consumer.name, (each) =>
            tell("notifications/resources/updated", { uri: each }),
          ))
        ),
    );
    const notifications = {
      ...Object.fromEntries(listKeys.filter(([, list]) => lists.has(list)).map(([key]) => [key, true])),
      ...(honoured.length === 0 ? {} : { resourceSubscriptions: honoured }),
    };
    exchange.notify("notifications/subscriptions/acknowledged", { notifications, _meta });
    acknowledged = true;
    for (const each of early.splice(0)) each();
    await over(exchange.signal, consumer.end.signal, core.stopping);
    return { result: { resultType: "complete", _meta } };
  } finally {
    unwatch();
    endAll(open);
    consumer.meter.give("streams");
  }
}

/** Those for which the test holds, or has not answered in time. */
async function within(
  ms: number,
  uris: readonly string[],
  test: (uri: string) => Promise<boolean>,
): Promise<string[]> {
  if (uris.length === 0) return [];
  const refused = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  const all = Promise.all(
    uris.map(async (uri) => {
      if (!(await test(uri))) refused.add(uri);
    }),
  );
  await Promise.race([all, late]);
  clearTimeout(timer);
  return uris.filter((uri) => !refused.has(uri));
}

function over(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of signals) signal.removeEventListener("abort", end);
      resolve();
    };
    for (const signal of signals) {
      if (signal.aborted) return end();
      signal.addEventListener("abort", end);
    }
  });
}
