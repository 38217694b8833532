import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Consumers } from "./consumers.js";
import type { ConsumerRecord } from "./consumers.js";
import { createCore } from "./core.js";
import type { Fleet } from "./door.js";
import { GatewayLibrary } from "./library.js";
import { createRequests } from "./requests.js";
import { Rounds } from "./rounds.js";
import { createSeal } from "./seal.js";
import { Sessions } from "./sessions.js";
import { Views } from "./views.js";
import { HttpWire } from "./wire/http.js";

export interface GatewayOptions {
  readonly consumers?: readonly ConsumerRecord[];
  /** Who requests without a token come from; absent: they are refused. */
  readonly unnamed?: string;
  /** 32 bytes; sessions outlive a restart only with the same one. */
  readonly key?: Uint8Array;
  readonly version?: string;
  readonly bodyBytes?: number;
  readonly pageSize?: number;
  /** Told after a change of the consumers that is to be kept. */
  readonly onConsumers?: (records: readonly ConsumerRecord[], unnamed: string | undefined) => void;
}

/** One MCP server in front of a fleet, for many consumers. */
export interface Gateway {
  readonly consumers: Consumers;
  /** Whether this request target is the gateway's. */
  owns(url: string): boolean;
  /** Serves a request whose head was judged already. */
  handle(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
  /** What is open now, to see that nothing stays. */
  figures(): { readonly sessions: number; readonly answers: number; readonly parked: number; readonly watchers: number };
  stop(): void;
}

const sweepMs = 30_000;

/** Puts a gateway before a fleet. */
export function createGateway(fleet: Fleet, options: GatewayOptions = {}): Gateway {
  const now = Date.now;
  const seal = createSeal(options.key ?? randomBytes(32));
  const consumers = new Consumers(options.consumers ?? [], options.unnamed, now);
  const stopping = new AbortController();
  const library = new GatewayLibrary(fleet, () => views.changed());
  const views = new Views(fleet, library);
  const rounds = new Rounds(seal, now);
  const { version = "0.0.0", bodyBytes = 4 * 1024 * 1024, pageSize } = options;
  const core = createCore({
    fleet,
    views,
    requests: createRequests(fleet, rounds),
    seal,
    version,
    stopping: stopping.signal,
    ...(pageSize === undefined ? {} : { pageSize }),
  });
  const sessions = new Sessions(core, seal);
  const http = new HttpWire({
    core,
    sessions,
    bodyBytes,
    consumerOf: (incoming) => consumerOf(incoming, consumers),
    isServer: (consumer, id) => consumer.scope.sees(id) && fleet.servers().some((each) => each.id === id && each.enabled),
  });
  const timer = setInterval(() => consumers.sweep(), sweepMs).unref();
  consumers.changed = () => options.onConsumers?.(consumers.records(), consumers.unnamed);
  consumers.ended = (consumer) => {
    http.endOf(consumer);
    rounds.end(consumer);
  };
  const unlisten = fleet.listen((change) => {
    if (change.kind === "connected" || (change.kind === "told" && change.list !== "tools")) library.refresh(change.server);
    views.changed(change);
  });
  for (const { id, capabilities } of fleet.servers()) if (capabilities !== undefined) library.refresh(id);
  return {
    consumers,
    owns: (url) => HttpWire.owns(url),
    handle: (incoming, response) => http.handle(incoming, response),
    figures: () => ({ sessions: sessions.size, answers: http.open, parked: rounds.parked, watchers: views.watchers }),
    stop() {
      stopping.abort();
      unlisten();
      clearInterval(timer);
      http.stop();
      views.stop();
    },
  };
}

/** A token counts in the header only: an address is written to logs. */
function consumerOf(incoming: IncomingMessage, consumers: Consumers): ReturnType<Consumers["byToken"]> {
  const given = incoming.headers.authorization;
  if (given === undefined) return consumers.unnamed === undefined ? undefined : consumers.byName(consumers.unnamed);
  const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(given)?.[1];
  return token === undefined ? undefined : consumers.byToken(token);
}
