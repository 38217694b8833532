import { describe, expect, it } from "vitest";
import { type Cause, ConnectError } from "../../src/errors.js";
import { createMemoryPair, type MemoryPair } from "../../src/transport/memory.js";
import type { TransportHandlers } from "../../src/transport/transport.js";

const gone: Cause = { kind: "crashed", message: "gone" };

/** Opens the client's end and writes down what it is told. */
async function listen({ transport }: MemoryPair): Promise<unknown[]> {
  const told: unknown[] = [];
  const handlers: TransportHandlers = {
    onMessage: (message) => void told.push(message),
    onLost: (id, loss) => void told.push(["lost", id, loss.sent]),
    onClosed: (cause) => void told.push(["closed", cause.kind]),
    onWarning: (kind, message) => void told.push(["warning", kind, message]),
  };
  await transport.open(handlers);
  return told;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the memory transport", () => {
  it("carries messages both ways as JSON, in order, never in the turn they were sent in", async () => {
    const pair = createMemoryPair();
    const told = await listen(pair);
    const received: unknown[] = [];
    pair.server.onMessage = (message, about) => {
      received.push([message, about]);
      pair.server.send({ reply: message, dropped: undefined });
    };

    expect(pair.transport.send('{"a":1}', { method: "m", id: 1 })).toBe(7);
    expect(pair.transport.send('{"b":2}', { method: "n" })).toBe(14);
    expect([received, told, pair.transport.deliveredUpTo()]).toEqual([[], [], 0]);
    await turn();

    expect(received).toEqual([
      [{ a: 1 }, { method: "m", id: 1 }],
      [{ b: 2 }, { method: "n" }],
    ]);
    expect(told).toEqual([{ reply: { a: 1 } }, { reply: { b: 2 } }]);
    expect(pair.transport.deliveredUpTo()).toBe(14);
  });

  it("tells the end once, and that what was held back was never sent", async () => {
    const pair = createMemoryPair();
    const told = await listen(pair);
    pair.server.hold();
    pair.transport.send("{}", { method: "m", id: 7 });
    pair.transport.send("{}", { method: "n" });

    pair.server.close(gone);
    pair.server.close(gone);
    await turn();
    await pair.transport.close();

    expect(told).toEqual([
      ["lost", 7, "no"],
      ["closed", "crashed"],
    ]);
    expect(pair.server.open).toBe(false);
    expect(pair.transport.send("{}", { method: "m" })).toMatchObject({ kind: "stdin-closed" });
  });

  it("can hold, release and refuse messages, lose requests and warn", async () => {
    const pair = createMemoryPair();
    const told = await listen(pair);
    const received: unknown[] = [];
    pair.server.onMessage = (message) => void received.push(message);

    pair.server.hold();
    pair.transport.send("1", { method: "m" });
    await turn();
    expect([received, pair.transport.deliveredUpTo()]).toEqual([[], 0]);
    pair.server.release();
    expect([received, pair.transport.deliveredUpTo()]).toEqual([[1], 1]);
    pair.server.refuse(gone);
    expect(pair.transport.send("2", { method: "m" })).toBe(gone);
    pair.server.refuse(undefined);
    expect(pair.transport.send("3", { method: "m" })).toBe(2);
    pair.server.lose(4, { sent: "unknown", cause: gone });
    pair.server.warn("odd", "text");
    await turn();

    expect(told).toEqual([
      ["lost", 4, "unknown"],
      ["warning", "odd", "text"],
    ]);
  });

  it("can fail to open", async () => {
    const pair = createMemoryPair({
      onOpen: () => {
        throw new ConnectError(gone);
      },
    });

    await expect(listen(pair)).rejects.toMatchObject({ info: gone });
    expect(pair.server.open).toBe(false);
  });
});
