import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { seededRandom } from "./random.js";
import { passOn } from "./toxics.js";
import type { Toxic } from "./toxics.js";

/** What a toxic proxy stands before, and how bad it is. */
export interface ToxicProxyOptions {
  /** Address of the real server; only its host and port are used by the proxy. */
  readonly target: string;
  /** What is wrong from the beginning. Default: nothing. */
  readonly toxics?: readonly Toxic[];
  /** Decides which connections a toxic with `chance` hits. Default: 1. */
  readonly seed?: number;
}

/** A bad network in front of an HTTP server, on 127.0.0.1. */
export interface ToxicProxy {
  /** `target`, but through the proxy. */
  readonly url: string;
  /** Connections that are open now. */
  readonly connections: number;
  /** For new connections from now on; the returned function takes it back. */
  add(toxic: Toxic): () => void;
  /** Cuts what is open, with a reset. */
  cut(): void;
  /** Cuts what is open and gives the port back. */
  close(): Promise<void>;
}

/**
 * Starts a TCP proxy whose toxics make the network slow, narrow, torn or dead. Throws TypeError for a target that is
 * no URL.
 */
export async function toxicProxy(options: ToxicProxyOptions): Promise<ToxicProxy> {
  const target = new URL(options.target);
  const random = seededRandom(options.seed ?? 1);
  const sockets = new Set<Socket>();
  let toxics: readonly Toxic[] = options.toxics ?? [];

  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer({ allowHalfOpen: false }, (client) => {
    track(client);
    const upstream = track(connect(Number(target.port || 80), target.hostname));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.end());
    const mine = toxics.filter(({ chance = 1 }) => random.chance(chance));
    passOn(
      client,
      upstream,
      mine.filter((toxic) => toxic.direction !== "down"),
    );
    passOn(
      upstream,
      client,
      mine.filter((toxic) => toxic.direction !== "up"),
    );
  });
  server.unref();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const url = new URL(options.target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.href,
    get connections() {
      return sockets.size / 2;
    },
    add(toxic) {
      toxics = [...toxics, toxic];
      return () => {
        toxics = toxics.filter((each) => each !== toxic);
      };
    },
    cut() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  };
}
