import { type Clock, realClock } from "../clock.js";
import type { HttpTarget, Limits } from "../spec.js";
import { type Cause, ConnectError } from "../errors.js";
import { checkUrl } from "../protocol/url.js";
import { withDepthLimit } from "./depthLimit.js";
import type { Authorization } from "./authorization.js";
import { Conversation } from "./http/conversation.js";
import { prepareDial } from "./http/connect/dial.js";
import { Wire } from "./http/connect/wire.js";
import type { Envelope, Transport, TransportEnd, TransportHandlers } from "./transport.js";

export interface HttpOptions {
  /** Server id, for the messages. */
  readonly id: string;
  readonly target: HttpTarget;
  readonly limits: Limits;
  readonly clock?: Clock;
  readonly userAgent?: string;
  /** Answers refusals with tokens. Default: none. */
  readonly authorization?: Authorization | undefined;
  /** For a connection to be made, TLS included. 5 s. */
  readonly connectTimeoutMs?: number;
  /** For the server to take the end of the session. 2 s. */
  readonly closeTimeoutMs?: number;
}

/**
 * Streamable HTTP (MCP 2025-03-26 to 2025-11-25, and the stateless form of 2026-07-28): every message is a POST of its
 * own, answered with JSON or with an event stream. Opening needs no network; what is wrong shows with the first
 * request. One request that fails is one loss: the connection itself ends only with `close` or `kill`.
 * docs/transports.md tells what each status does.
 */
export function createHttpTransport(options: HttpOptions): Transport {
  const clock = options.clock ?? realClock;
  let conversation: Conversation | undefined;
  let isClosed = false;
  let position = 0;

  async function open(handlers: TransportHandlers): Promise<void> {
    const wrong = checkUrl(options.target.url);
    if (wrong !== undefined) throw new ConnectError(named(wrong));
    const url = new URL(options.target.url);
    // Imported here, because it is large and a fleet may hold no HTTP server at all.
    const undici = await import("undici");
    const dial = await prepareDial(undici, {
      id: options.id,
      target: options.target,
      connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    });
    if (isClosed) throw new ConnectError({ kind: "stopping", message: `server "${options.id}" was closed` });
    const wire = new Wire(dial, options.authorization);
    const path = url.pathname + url.search;
    const limited = withDepthLimit({ id: options.id, depth: options.limits.depth }, handlers);
    conversation = new Conversation({ ...options, clock, wire, path, handlers: limited });
  }

  function send(text: string, about: Envelope): number | Cause {
    if (conversation === undefined || isClosed) {
      return { kind: "stopping", message: `server "${options.id}" is not connected` };
    }
    conversation.send(text, about);
    position += 1;
    return position;
  }

  async function close(): Promise<TransportEnd> {
    const began = clock.now();
    isClosed = true;
    const inTime = (await conversation?.end(options.closeTimeoutMs ?? 2000)) ?? true;
    return { survivors: [], forced: !inTime, ms: clock.now() - began };
  }

  function kill(): void {
    isClosed = true;
    conversation?.kill();
  }

  function named(cause: Cause): Cause {
    return { ...cause, message: `server "${options.id}": ${cause.message}` };
  }

  return {
    kind: "http",
    pids: () => [],
    stderrTail: () => [],
    open,
    send,
    // Nothing is queued in our process in a way that could be counted: losses carry their own `sent`.
    deliveredUpTo: () => Number.POSITIVE_INFINITY,
    overlaps: () => conversation?.hasSession === false,
    abandon: (id) => conversation?.abandon(id),
    agreed: (version) => conversation?.agreed(version),
    listen: () => conversation?.listen(),
    close,
    kill,
  };
}
