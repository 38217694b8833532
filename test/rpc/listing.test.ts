import { describe, expect, it } from "vitest";
import { modernCodec } from "../../src/protocol/modernCodec.js";
import type { ListingOptions } from "../../src/rpc/listing.js";
import { listAll } from "../../src/rpc/listing.js";
import { openRig, turn } from "./rig.js";

type Page = { readonly result?: unknown; readonly error?: object } | undefined;

const invalid = { code: -32_602, message: "no such page" };
const modern = modernCodec("2026-07-28", { info: { name: "t", version: "1" }, capabilities: {} });

/** Walks a list whose pages the function gives by cursor; undefined does not answer. */
async function walk(
  pageOf: (cursor: unknown, ask: number) => Page,
  more: Partial<ListingOptions> = {},
  codec = false,
) {
  const rig = await openRig({}, codec ? modern : undefined);
  const { channel, server, deadlines, clock } = rig;
  const cursors: unknown[] = [];
  server.onMessage = (message) => {
    const { id, params } = message as { id: number; params?: { cursor?: unknown } };
    const cursor = params?.cursor;
    cursors.push(cursor);
    const page = pageOf(cursor, cursors.length);
    if (page !== undefined) server.send({ jsonrpc: "2.0", id, ...page });
  };
  const options = { dueAt: 2000, deadlines, limits: { pages: 5, tools: 10 }, who: 'server "s"', ...more };
  const outcome = listAll(channel, "tools/list", "tools", options).catch((error: { info?: unknown }) => ({
    failed: error.info,
  }));
  return { ...rig, cursors, outcome, late: async () => (await turn(), clock.advance(5000), outcome) };
}

const page = (tools: unknown, nextCursor?: unknown): Page => ({ result: { tools, nextCursor } });

const taskOf = (): Page => ({ result: { tools: [1], resultType: "task" } });
const silent = (cursor: unknown): Page => (cursor === undefined ? page([1], "x") : undefined);
/** So many pages of one item each. */
const pages =
  (count: number) =>
  (_: unknown, ask: number): Page =>
    page([ask], ask < count ? `c${ask}` : undefined);
const refusedLater = (cursor: unknown): Page =>
  cursor === undefined ? page(["a"], "x") : { error: invalid };

describe("a walk over a list", () => {
  it("takes page after page, the empty cursor too, and ends where none follows", async () => {
    const known: Record<string, Page> = { undefined: page([1, 2], ""), "": page([3], "b"), b: page([], 7) };

    const { outcome, cursors } = await walk((cursor) => known[String(cursor)]);

    expect(await outcome).toEqual({ items: [1, 2, 3], warnings: [] });
    expect(cursors).toEqual([undefined, "", "b"]);
  });

  it("starts over once for an invalid cursor, and has the items of the first page once", async () => {
    const { outcome, cursors } = await walk((cursor, ask) =>
      cursor === undefined ? page(["a"], "x") : ask === 2 ? { error: invalid } : page(["b"]),
    );

    expect(await outcome).toEqual({ items: ["a", "b"], warnings: [] });
    expect(cursors).toEqual([undefined, "x", undefined, "x"]);
  });

  it("ends with the error when the cursor is invalid a second time, or with what it has", async () => {
    const strict = await walk(refusedLater);
    expect(await strict.outcome).toEqual({
      failed: {
        kind: "list-failed",
        message: 'server "s": tools/list failed: no such page (code -32602)',
        rpcCode: -32_602,
      },
    });
    expect(strict.cursors).toHaveLength(4);
    const partial = await walk(refusedLater, { keepPartial: true });
    expect(await partial.outcome).toEqual({
      items: ["a"],
      warnings: [
        'server "s": tools/list failed: no such page (code -32602); only the 1 pages before it are known',
      ],
    });
  });

  it("does not start over when the first page is refused, or for another error", async () => {
    const first = await walk(() => ({ error: invalid }), { keepPartial: true });
    expect(await first.outcome).toMatchObject({ failed: { rpcCode: -32_602 } });
    expect(first.cursors).toHaveLength(1);

    const other = await walk((cursor) =>
      cursor === undefined ? page([1], "x") : { error: { code: -1, message: "m" } },
    );
    expect(await other.outcome).toMatchObject({ failed: { rpcCode: -1 } });
    expect(other.cursors).toHaveLength(2);
  });

  it.each([
    ["that comes again at once", (): Page => page([1], "x"), ["x"]],
    ["that comes again later", (cursor: unknown): Page => page([1], cursor === "a" ? "b" : "a"), ["a", "b"]],
  ])("ends at a cursor %s", async (_, pageOf, walked) => {
    const { outcome, cursors } = await walk(pageOf);

    expect(await outcome).toMatchObject({
      warnings: [expect.stringMatching(/^pagination loop: the cursor "/)],
    });
    expect(cursors).toEqual([undefined, ...walked]);
  });

  it("takes as many pages as are allowed, and says that it stopped only where more would follow", async () => {
    expect(await (await walk(pages(5))).outcome).toEqual({ items: [1, 2, 3, 4, 5], warnings: [] });
    expect(await (await walk(pages(6))).outcome).toEqual({
      items: [1, 2, 3, 4, 5],
      warnings: ["too many pages: stopped after 5 (limits.pages)"],
    });
  });

  it.each([
    [9, 9, 0],
    [10, 10, 0],
    [11, 10, 1],
  ])("of %i items keeps %i", async (count, kept, warnings) => {
    const { outcome } = await walk(() => page(Array.from({ length: count }, (_, at) => at)));
    const result = (await outcome) as unknown as { items: unknown[]; warnings: string[] };

    expect([result.items.length, result.warnings.length]).toEqual([kept, warnings]);
    expect(result.warnings.join()).toBe(
      "too many tools: more than 10; what is over is dropped (limits.tools)".repeat(warnings),
    );
  });

  it("asks for no further page when there are too many items", async () => {
    const { outcome, cursors } = await walk(() =>
      page(
        Array.from({ length: 11 }, (_, at) => at),
        "x",
      ),
    );
    await outcome;

    expect(cursors).toHaveLength(1);
  });

  it.each([[{}], [null], ["text"], [{ tools: {} }]])(
    "fails where %j stands for a list, or takes it for empty",
    async (result) => {
      const message = "tools/list page 1 holds no list named tools";

      expect(await (await walk(() => ({ result }))).outcome).toEqual({
        failed: { kind: "list-failed", message: `server "s": ${message}` },
      });
      expect(await (await walk(() => ({ result }), { keepPartial: true })).outcome).toEqual({
        items: [],
        warnings: [message],
      });
    },
  );

  it("fails when it is not answered in time, is cancelled, or breaks, whatever it has by then", async () => {
    const timed = await walk(silent, { keepPartial: true });
    expect(await timed.late()).toEqual({
      failed: { kind: "list-failed", message: 'server "s": tools/list failed: timeout' },
    });
    expect(timed.deadlines.size).toBe(0);

    const controller = new AbortController();
    const cancelled = await walk(silent, { signal: controller.signal });
    await turn();
    controller.abort();
    expect(await cancelled.outcome).toMatchObject({
      failed: { message: 'server "s": tools/list failed: cancelled' },
    });

    const cause = { kind: "crashed", message: "it ended" } as const;
    const broken = await walk(silent, { keepPartial: true });
    await turn();
    broken.server.close(cause);
    expect(await broken.outcome).toEqual({ failed: cause });
  });

  it("holds on to known items, and reads how long the list stays fresh from the last page that says so", async () => {
    const same = { name: "a" };
    const { outcome } = await walk(
      (cursor) =>
        cursor === undefined
          ? { result: { tools: [{ name: "a" }, { name: "b" }], nextCursor: "x", ttlMs: 5 } }
          : { result: { tools: [], ttlMs: "7" } },
      { known: (item) => ((item as { name: string }).name === "a" ? same : undefined) },
    );
    const result = (await outcome) as unknown as { items: unknown[]; ttlMs: number };

    expect(result.items[0]).toBe(same);
    expect([result.items[1], result.ttlMs]).toEqual([{ name: "b" }, 5]);
  });

  it("takes no result of another type for a list, in the revision that has types", async () => {
    expect(await (await walk(taskOf, {}, true)).outcome).toEqual({
      failed: {
        kind: "list-failed",
        message: 'server "s": tools/list was answered with a result of type task',
      },
    });
    expect(await (await walk(taskOf)).outcome).toMatchObject({ items: [1] });
    expect(await (await walk(() => page([1]), {}, true)).outcome).toMatchObject({ items: [1] });
  });
});
