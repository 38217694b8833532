import { writeFile } from "node:fs/promises";
import { realClock } from "../index.js";
import type { Clock, ConnectionRequest, Supervisor, Transport } from "../index.js";
import { wrapTransports } from "../inner.js";

/** One line of a recording. Known secrets are masked in every text. */
export interface WireLine {
  /** Milliseconds since the recording began. */
  readonly at: number;
  /** Id of the server. */
  readonly server: string;
  /** The life that it belongs to. */
  readonly generation: number;
  /** To the server, from it, or the end of the connection. */
  readonly way: "out" | "in" | "closed";
  /** The message; absent at the end of a connection. */
  readonly message?: unknown;
}

/** A recording that goes on until it is stopped. */
export interface Recording {
  /** One JSON text per message, oldest first. */
  readonly lines: readonly string[];
  /** Writes them as NDJSON, in a file of mode 0600. Rejects when the file cannot be written. */
  save(file: string): Promise<void>;
  /** Records no more. */
  stop(): void;
}

/**
 * Records what goes over the wire of a supervisor, from the next life of each server on (call it before `start` to get
 * all). Tool arguments and results are in it: only the secrets of the servers' own entries are masked.
 */
export function record(
  supervisor: Supervisor,
  { clock = realClock }: { readonly clock?: Clock } = {},
): Recording {
  const lines: string[] = [];
  const begun = clock.now();
  let stopped = false;
  const unwrap = wrapTransports(supervisor, (transport, request) =>
    watched(transport, (way, message) => {
      if (!stopped) lines.push(lineOf(request, clock.now() - begun, way, message));
    }),
  );
  return {
    lines,
    save: (file) => writeFile(file, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 }),
    stop() {
      stopped = true;
      unwrap();
    },
  };
}

type Tell = (way: WireLine["way"], message?: unknown) => void;

function watched(transport: Transport, tell: Tell): Transport {
  return {
    kind: transport.kind,
    pids: () => transport.pids(),
    stderrTail: () => transport.stderrTail(),
    open: (handlers) =>
      transport.open({
        onMessage(message) {
          tell("in", message);
          handlers.onMessage(message);
        },
        onLost: (id, loss) => handlers.onLost(id, loss),
        onClosed(cause) {
          tell("closed");
          handlers.onClosed(cause);
        },
        onWarning: (kind, message) => handlers.onWarning(kind, message),
      }),
    send(text, about) {
      tell("out", JSON.parse(text));
      return transport.send(text, about);
    },
    overlaps: () => transport.overlaps?.() === true,
    deliveredUpTo: () => transport.deliveredUpTo(),
    abandon: (id) => transport.abandon(id),
    agreed: (version) => transport.agreed(version),
    listen: () => transport.listen(),
    close: () => transport.close(),
    kill: () => transport.kill(),
  };
}

function lineOf(request: ConnectionRequest, at: number, way: WireLine["way"], message: unknown): string {
  const { id: server, generation } = request;
  const mask = (text: string): string => request.mask(text);
  const line: WireLine = {
    at,
    server,
    generation,
    way,
    ...(message === undefined ? {} : { message: masked(message, mask) }),
  };
  return JSON.stringify(line);
}

/** The same value with every text masked, also a number that is a secret as text. */
function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") return mask(String(value)) === String(value) ? value : mask(String(value));
  if (Array.isArray(value)) return value.map((each) => masked(each, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), masked(each, mask)]));
}
