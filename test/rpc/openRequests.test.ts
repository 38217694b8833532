import { array, assert, integer, option, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { OpenRequests } from "../../src/rpc/openRequests.js";
import type { PendingRequest } from "../../src/rpc/pending.js";

const request = (method: string): PendingRequest => ({
  id: 0,
  position: 0,
  resends: 0,
  method,
  wantsProgress: false,
  encode: () => "",
  settle: () => {},
});

describe("open requests", () => {
  it("gives each request back under its id until it is taken, in the order they came", () => {
    const open = new OpenRequests();
    const [a, b, c, d] = ["a", "b", "c", "d"].map(request) as [
      PendingRequest,
      PendingRequest,
      PendingRequest,
      PendingRequest,
    ];
    open.set(1, a);
    open.set(2, b);
    open.set(3, c);

    expect(open.get(2)).toBe(b);
    expect(open.take(2)).toBe(b);
    expect(open.take(2)).toBeUndefined();
    expect(open.get(2)).toBeUndefined();

    open.set(4, d);
    expect(open.get(4)).toBe(d);
    expect(open.values()).toEqual([a, c, d]);
    expect(open.size).toBe(3);
  });

  it("is empty after it was cleared, and takes new ones", () => {
    const open = new OpenRequests();
    open.set(1, request("a"));
    open.clear();

    expect([open.size, open.get(1), open.values()]).toEqual([0, undefined, []]);
    const next = request("b");
    open.set(2, next);
    expect(open.values()).toEqual([next]);
  });

  it("names each request once, and none that was taken, after the table grew with places that were fought for", () => {
    const open = new OpenRequests();
    for (let id = 1; id <= 16; id++) {
      open.set(id, request(String(id)));
      if (id > 7) open.take(id);
    }
    const ids = (): number[] => open.values().map(({ method }) => Number(method));

    // 17 wants the place of 1, and gets one of its own when 18 makes the table grow.
    open.set(17, request("17"));
    open.set(18, request("18"));

    expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 17, 18]);
    expect(open.take(17)?.method).toBe("17");
    expect([open.get(17), open.take(17)]).toEqual([undefined, undefined]);
    expect([ids(), open.size]).toEqual([[1, 2, 3, 4, 5, 6, 7, 18], 8]);
    open.clear();
    expect([ids(), open.get(18)]).toEqual([[], undefined]);
  });

  it("knows an id by its number alone", () => {
    const open = new OpenRequests();
    const only = request("a");
    open.set(1, only);

    expect(open.of(1)).toBe(only);
    expect([open.of("1"), open.of(17), open.of(null), open.get(0)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("holds what any other table would hold, with requests that stay open for long", () => {
    // Undefined opens a request; a number takes one of the newest three: the oldest stay and crowd the table.
    const steps = array(option(integer({ min: 1, max: 3 }), { nil: undefined }), { maxLength: 300 });
    assert(
      property(steps, (given) => {
        const open = new OpenRequests();
        const expected = new Map<number, PendingRequest>();
        const taken: unknown[] = [];
        let last = 0;
        for (const back of given) {
          const id = back === undefined ? undefined : [...expected.keys()].at(-back);
          if (id !== undefined) {
            taken.push([open.take(id), open.get(id), expected.get(id)]);
            expected.delete(id);
          } else {
            expected.set(++last, request(String(last)));
            open.set(last, expected.get(last)!);
          }
        }

        for (const [found, later, wanted] of taken as unknown[][]) {
          expect(found).toBe(wanted);
          expect(later).toBeUndefined();
        }
        expect(open.size).toBe(expected.size);
        expect(open.values()).toEqual([...expected.values()]);
        for (const [id, each] of expected) expect(open.get(id)).toBe(each);
      }),
    );
  });

  it("keeps a request that stays open while thousands come and go", () => {
    const open = new OpenRequests();
    const listening = request("subscriptions/listen");
    open.set(1, listening);
    for (let id = 2; id < 5000; id++) {
      const each = request("tools/call");
      open.set(id, each);
      expect(open.take(id)).toBe(each);
    }

    expect([open.size, open.get(1)]).toEqual([1, listening]);
  });
});
