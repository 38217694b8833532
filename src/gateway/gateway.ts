import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex, Readable, Writable } from "node:stream";
import { Consumers } from "./consumers/consumers.js";
import type { ConsumerRecord } from "./consumers/consumers.js";
import { createCore } from "./requests/core.js";
import type { Fleet } from "./contract/door.js";
import { GatewayLibrary } from "./view/library.js";
import { createRequests } from "./requests/requests.js";
import { Rounds } from "./requests/rounds.js";
import { createSeal } from "./consumers/seal.js";
import { Sessions } from "./sessions/sessions.js";
import { createTasks } from "./requests/tasks.js";
import { Views } from "./view/views.js";
import { HttpWire, isEndpoint } from "./wire/http.js";
import { acceptLink } from "./wire/link.js";
import { linkPath } from "./wire/linkHead.js";
import { serveStreams } from "./wire/stream.js";

export interface GatewayOptions {
  readonly consumers?: readonly ConsumerRecord[];
  /** Who requests without a token come from; absent: they are refused. */
  readonly unnamed?: string;
  /** 32 bytes; sessions outlive a restart only with the same one. */
  readonly key?: Uint8Array;
  /** What a stdio front of the same user shows to join; absent: none may. */
  readonly ownerToken?: string;
  /** Version that it tells in the handshake. Default: 0.0.0. */
  readonly version?: string;
  /** A request body, in bytes; a larger one is refused. Default: 4 MiB. */
  readonly bodyBytes?: number;
  readonly pageSize?: number;
  /** Told after a change of the consumers that is to be kept. */
  readonly onConsumers?: (records: readonly ConsumerRecord[], unnamed: string | undefined) => void;
}

/** One MCP server in front of a fleet, for many consumers. */
export interface Gateway {
  /** Who may come in. */
  readonly consumers: Consumers;
  /** Whether this request target is the gateway's. */
  owns(url: string): boolean;
  /** Whether this request is of a consumer. */
  knows(incoming: IncomingMessage): boolean;
  /** Serves a request whose head was judged already. */
  handle(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Takes over a connection that is to become one of lines (a stdio front). */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Serves a consumer by name over streams of this process; resolves when its input has ended. */
  serveStreams(name: string, input: Readable, output: Writable, only?: string): Promise<void>;
  /** What is open now, to see that nothing stays. */
  figures(): {
    /** Sessions (MCP, Streamable HTTP, Session Management). */
    readonly sessions: number;
    /** Requests that are not answered yet. */
    readonly answers: number;
    /** Calls that wait for an answer of their consumer. */
    readonly parked: number;
    /** Resources that are watched for a consumer. */
    readonly watchers: number;
  };
  /** Ends all sessions and streams; the fleet goes on. */
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
  const tasks = createTasks(fleet, seal);
  const { version = "0.0.0", bodyBytes = 4 * 1024 * 1024, pageSize } = options;
  const core = createCore({
    fleet,
    views,
    requests: createRequests(fleet, rounds, tasks),
    tasks,
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
    isServer: (consumer, id) =>
      consumer.scope.sees(id) && fleet.servers().some((each) => each.id === id && each.enabled),
  });
  const timer = setInterval(() => consumers.sweep(), sweepMs).unref();
  consumers.changed = () => options.onConsumers?.(consumers.records(), consumers.unnamed);
  consumers.ended = (consumer) => {
    http.endOf(consumer);
    rounds.end(consumer);
  };
  const unlisten = fleet.listen((change) => {
    if (change.kind === "connected" || (change.kind === "told" && change.list !== "tools"))
      library.refresh(change.server);
    views.changed(change);
  });
  for (const { id, capabilities } of fleet.servers()) if (capabilities !== undefined) library.refresh(id);
  return {
    consumers,
    owns: (url) => url === linkPath || isEndpoint(url),
    knows: (incoming) => consumerOf(incoming, consumers) !== undefined,
    handle: (incoming, response) => http.handle(incoming, response),
    upgrade(incoming, socket, head) {
      const { ownerToken } = options;
      if (ownerToken === undefined || incoming.url !== linkPath) return void socket.destroy();
      acceptLink(core, consumers, ownerToken, incoming, socket, head);
    },
    serveStreams: (name, input, output, only) =>
      serveStreams(core, consumers.ensure(name), only, input, output),
    figures: () => ({
      sessions: sessions.size,
      answers: http.open,
      parked: rounds.parked,
      watchers: views.watchers,
    }),
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
  if (given === undefined)
    return consumers.unnamed === undefined ? undefined : consumers.byName(consumers.unnamed);
  const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(given)?.[1];
  return token === undefined ? undefined : consumers.byToken(token);
}
