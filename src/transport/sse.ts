import { type Clock, realClock } from "../clock.js";
import { type Cause, ConnectError } from "../errors.js";
import { checkUrl } from "../protocol/url.js";
import { withDepthLimit } from "./depthLimit.js";
import type { HttpOptions } from "./http.js";
import { SseConversation } from "./http/sse/sseConversation.js";
import { prepareDial } from "./http/connect/dial.js";
import { Wire } from "./http/connect/wire.js";
import type { Envelope, Transport, TransportEnd, TransportHandlers } from "./transport.js";

export interface SseOptions extends HttpOptions {
  /** For the `endpoint` event, from the start of open(). 10 s. */
  readonly endpointTimeoutMs?: number;
}

/**
 * HTTP+SSE (MCP 2024-11-05): one long event stream brings everything from the server, every message of ours is a POST
 * to the endpoint that the stream names first. The end of the stream is the end of the connection.
 */
export function createSseTransport(options: SseOptions): Transport {
  const clock: Clock = options.clock ?? realClock;
  let conversation: SseConversation | undefined;
  let isClosed = false;
  let position = 0;

  async function open(handlers: TransportHandlers): Promise<void> {
    const wrong = checkUrl(options.target.url);
    if (wrong !== undefined) {
      throw new ConnectError({ ...wrong, message: `server "${options.id}": ${wrong.message}` });
    }
    const url = new URL(options.target.url);
    // Imported here, because it is large and a fleet may hold no HTTP server at all.
    const undici = await import("undici");
    const dial = await prepareDial(undici, {
      id: options.id,
      target: options.target,
      connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    });
    if (isClosed) throw new ConnectError(notConnected());
    const wire = new Wire(dial, options.authorization);
    const limited = withDepthLimit({ id: options.id, depth: options.limits.depth }, handlers);
    conversation = new SseConversation({
      ...options,
      clock,
      wire,
      path: url.pathname + url.search,
      handlers: limited,
    });
    await conversation.open(options.endpointTimeoutMs ?? 10_000);
  }

  function send(text: string, about: Envelope): number | Cause {
    if (conversation?.isOpen !== true) return notConnected();
    conversation.send(text, about);
    position += 1;
    return position;
  }

  async function close(): Promise<TransportEnd> {
    const began = clock.now();
    isClosed = true;
    await conversation?.end();
    return { survivors: [], forced: false, ms: clock.now() - began };
  }

  function kill(): void {
    isClosed = true;
    void conversation?.end();
  }

  function notConnected(): Cause {
    return { kind: "stopping", message: `server "${options.id}" is not connected` };
  }

  return {
    kind: "sse",
    pids: () => [],
    stderrTail: () => [],
    open,
    send,
    deliveredUpTo: () => Number.POSITIVE_INFINITY,
    abandon: (id) => conversation?.abandon(id),
    // This revision knows no version header and no second stream.
    agreed: () => undefined,
    listen: () => undefined,
    close,
    kill,
  };
}
