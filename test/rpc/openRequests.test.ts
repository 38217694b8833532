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
  it("gives each request back under its id until it is deleted, in the order they came", () => {
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
    expect(open.delete(2)).toBe(true);
    expect(open.delete(2)).toBe(false);
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
});
