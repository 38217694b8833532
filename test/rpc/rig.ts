import type { Cause } from "../../src/errors.js";
import type { Codec } from "../../src/protocol/codec.js";
import { legacyCodec } from "../../src/protocol/codec.js";
import type { RequestId } from "../../src/protocol/jsonrpc.js";
import type { Channel } from "../../src/rpc/channel.js";
import { createDeadlines } from "../../src/rpc/deadlines.js";
import type { ChannelHooks } from "../../src/rpc/hooks.js";
import { openChannel } from "../../src/rpc/liveChannel.js";
import type { PendingRequest, Reply } from "../../src/rpc/pending.js";
import { createMemoryPair } from "../../src/transport/memory.js";
import type { Transport } from "../../src/transport/transport.js";
import { manualClock } from "./manualClock.js";

export interface Sent {
  readonly jsonrpc: string;
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A channel over a memory pair whose server does what the test says; time stands still until it is told to go on. */
export async function openRig(
  hooks: Partial<ChannelHooks> = {},
  codec: Codec = legacyCodec("2025-11-25"),
  more: Partial<Transport> = {},
) {
  const { transport, server } = createMemoryPair();
  const clock = manualClock(1000);
  const deadlines = createDeadlines(clock);
  const got: Sent[] = [];
  const abandoned: RequestId[] = [];
  const agreed: string[] = [];
  const warnings: [string, string][] = [];
  const notifications: unknown[][] = [];
  const closed: Cause[] = [];
  let listens = 0;
  server.onMessage = (message) => void got.push(message as Sent);
  const wired: Transport = {
    ...transport,
    abandon: (id) => void abandoned.push(id),
    agreed: (version) => void agreed.push(version),
    listen: () => void listens++,
    ...more,
  };
  const channel: Channel = await openChannel(wired, codec, {
    onNotification: (method, params, about) => void notifications.push([method, params, about?.id]),
    onRequest: () => undefined,
    onClosed: (cause) => void closed.push(cause),
    onWarning: (kind, message) => void warnings.push([kind, message]),
    renewSession: async () => undefined,
    ...hooks,
  });
  return {
    channel,
    server,
    clock,
    deadlines,
    got,
    abandoned,
    agreed,
    warnings,
    notifications,
    closed,
    listens: () => listens,
    kinds: () => warnings.map(([kind]) => kind),
    /** The last request with this method that the server got. */
    asked: (method: string) => got.findLast((each) => each.method === method && each.id !== undefined),
    answer: (id: RequestId | undefined, result: unknown = {}) => server.send({ jsonrpc: "2.0", id, result }),
    refuse: (id: RequestId | null | undefined, code: number, message = "no", data?: unknown) =>
      server.send({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } }),
  };
}

/** A request as the hot path makes it; what became of it stands in `replies`. */
export function call(replies: Reply[] = [], method = "tools/call"): PendingRequest & { replies: Reply[] } {
  return {
    id: 0,
    position: 0,
    resends: 0,
    method,
    wantsProgress: true,
    encode: (id) => JSON.stringify({ jsonrpc: "2.0", id, method }),
    settle: (reply) => void replies.push(reply),
    replies,
  };
}

/** Lets everything that was sent arrive, in both directions. */
export async function turn(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((done) => setImmediate(done));
}
