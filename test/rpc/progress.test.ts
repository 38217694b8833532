import { describe, expect, it } from "vitest";
import { readProgress } from "../../src/rpc/progress.js";
import { legacyCodec } from "../../src/protocol/codec.js";
import { openChannel } from "../../src/rpc/liveChannel.js";
import type { PendingRequest, ProgressNote } from "../../src/rpc/pending.js";
import { createMemoryPair } from "../../src/transport/memory.js";

function open() {
  const { transport, server } = createMemoryPair();
  return openChannel(transport, legacyCodec("2025-11-25"), {
    onNotification: () => undefined,
    onRequest: () => undefined,
    onClosed: () => undefined,
    onWarning: () => undefined,
    renewSession: async () => undefined,
  }).then((channel) => ({ channel, server }));
}

function call(told: ProgressNote[], settled: () => void): PendingRequest {
  return {
    id: 0,
    position: 0,
    resends: 0,
    method: "tools/call",
    wantsProgress: true,
    encode: (id) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call" }),
    settle: settled,
    progress: (note) => void told.push(note),
  };
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

describe("progress", () => {
  it("reaches the call whose token it bears, compared as it is written, until the answer (row 18)", async () => {
    const { channel, server } = await open();
    const first: ProgressNote[] = [];
    const second: ProgressNote[] = [];
    channel.send(call(first, () => undefined));
    channel.send(call(second, () => undefined));
    const progress = (progressToken: unknown, value: number): void =>
      server.send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken, progress: value },
      });

    for (const token of [1, "1", "01", " 1", 1.5, "1e0", null, {}, 3, "", 0]) progress(token, 1);
    progress(2, 0.5);
    server.send({ jsonrpc: "2.0", id: 1, result: {} });
    progress(1, 2);
    await turn();
    await turn();

    expect(first).toEqual([{ progress: 1 }, { progress: 1 }]);
    expect(second).toEqual([{ progress: 0.5 }]);
  });

  it("keeps what is well-formed of a note", () => {
    expect(readProgress({ progressToken: 7, progress: 0.5, total: 2, message: "half" })).toEqual({
      token: 7,
      note: { progress: 0.5, total: 2, message: "half" },
    });
    expect(readProgress({ progressToken: "a", progress: 1, total: null, message: 3 })).toEqual({
      token: "a",
      note: { progress: 1 },
    });
    for (const progress of ["1", null, undefined, {}, Number.NaN, Number.POSITIVE_INFINITY])
      expect(readProgress({ progressToken: "a", progress })).toBeUndefined();
    expect(readProgress({ progress: 1 })).toBeUndefined();
    expect(readProgress(null)).toBeUndefined();
  });
});
