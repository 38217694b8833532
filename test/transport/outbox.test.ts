import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createOutbox } from "../../src/transport/outbox.js";

/** A pipe that takes one write at a time, when told to. */
function slowPipe() {
  const writes: string[] = [];
  let done: ((error?: Error) => void) | undefined;
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, callback) {
      writes.push(chunk);
      done = callback;
    },
  });
  stream.on("error", () => {});
  return { stream, writes, finish: (error?: Error) => done?.(error) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the outbox", () => {
  it("joins all lines of one turn into one write, also those sent by continuations of that turn", async () => {
    const pipe = slowPipe();
    const outbox = createOutbox({ stream: pipe.stream, unsentBytes: 1000, onBroken: () => {} });

    expect(outbox.add("a", 1)).toBe(1);
    await Promise.resolve();
    expect(outbox.add("ü", 2)).toBe(2);
    await turn();

    expect(pipe.writes).toEqual(["a\nü\n"]);
    expect([outbox.delivered(), outbox.unsent()]).toEqual([0, 5]);
    outbox.add("c", 3);
    outbox.add("d", 4);
    await turn();
    expect(pipe.writes).toHaveLength(1);
    pipe.finish();
    await turn();
    expect(outbox.delivered()).toBe(2);
    expect(pipe.writes).toEqual(["a\nü\n", "c\nd\n"]);
  });

  it("lets many lines of one turn go in growing pieces as long as the pipe takes them", async () => {
    const writes: number[] = [];
    const stream = new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, callback) {
        writes.push(chunk.trimEnd().split("\n").length);
        callback();
      },
    });
    const outbox = createOutbox({ stream, unsentBytes: 10_000, onBroken: () => {} });

    for (let id = 1; id <= 46; id++) outbox.add("a", id);
    expect([writes, outbox.delivered(), outbox.unsent()]).toEqual([[8, 32], 40, 12]);
    await turn();
    expect([writes, outbox.delivered(), outbox.unsent()]).toEqual([[8, 32, 6], 46, 0]);

    for (let id = 1; id <= 9; id++) outbox.add("b", id);
    await turn();
    expect(writes).toEqual([8, 32, 6, 8, 1]);
  });

  it("takes the end of an earlier write for no end of the one after it", async () => {
    const ends: ((error?: Error) => void)[] = [];
    let writes = 0;
    const stream = new Writable({
      decodeStrings: false,
      // The first write is taken at once and told of at the end of the turn; the second one waits.
      write(_chunk: string, _encoding, callback) {
        if (++writes === 1) callback();
        else ends.push(callback);
      },
    });
    const outbox = createOutbox({ stream, unsentBytes: 10_000, onBroken: () => {} });

    for (let id = 1; id <= 40; id++) outbox.add("a", id);
    await turn();

    expect([writes, outbox.delivered(), outbox.unsent()]).toEqual([2, 8, 64]);
    outbox.add("b", 41);
    await turn();
    expect(writes).toBe(2);
    ends[0]?.();
    await turn();
    expect([writes, outbox.delivered(), outbox.unsent()]).toEqual([3, 40, 2]);
  });

  it("takes nothing for delivered that a stream refused", async () => {
    const pipe = slowPipe();
    const broken: string[] = [];
    const onBroken = (error: Error): void => void broken.push(error.message);
    const outbox = createOutbox({ stream: pipe.stream, unsentBytes: 100, onBroken });

    pipe.stream.destroy();
    outbox.add("a", 1);
    await turn();

    expect(outbox.delivered()).toBe(0);
    expect(broken).toEqual(["Cannot call write after a stream was destroyed"]);
  });

  it("counts bytes against its limit, and lets go of them when they have left", async () => {
    const pipe = slowPipe();
    const outbox = createOutbox({ stream: pipe.stream, unsentBytes: 10, onBroken: () => {} });

    expect(outbox.add("123€", 1)).toBe(1);
    expect(outbox.unsent()).toBe(7);
    expect(outbox.add("€", 2)).toBeUndefined();
    expect(outbox.add("12", 3)).toBe(2);
    expect(outbox.unsent()).toBe(10);
    await turn();
    pipe.finish();
    await turn();

    expect(outbox.unsent()).toBe(0);
    expect(outbox.add("123456789", 4)).toBe(3);
  });

  it("tells a broken pipe once, and at its end which requests were never handed over", async () => {
    const pipe = slowPipe();
    const broken: string[] = [];
    const outbox = createOutbox({
      stream: pipe.stream,
      unsentBytes: 100,
      onBroken: (error) => broken.push(error.message),
    });

    outbox.add("a", 1);
    await turn();
    outbox.add("b", 2);
    outbox.add("c", undefined);
    pipe.finish(new Error("EPIPE"));
    await turn();

    expect(broken).toEqual(["EPIPE"]);
    expect(outbox.close()).toEqual([2]);
    expect(outbox.add("d", 3)).toBeUndefined();
    expect(outbox.delivered()).toBe(0);
  });
});
