import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "../../src/policy/fairQueue.js";

interface Item {
  readonly caller: string;
  readonly number: number;
}

function item(caller: string, number: number): Item {
  return { caller, number };
}

/** What can be asked of a fair queue, whoever answers. */
type Queue = Pick<FairQueue<Item>, keyof FairQueue<Item>>;

function drain(queue: Queue): string[] {
  const order: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift())
    order.push(next.caller + next.number);
  return order;
}

describe("the fair queue", () => {
  it("keeps the order of a single caller", () => {
    const queue = new FairQueue<Item>();
    for (const number of [1, 2, 3]) queue.push("a", item("a", number));

    expect(queue.size).toBe(3);
    expect(drain(queue)).toEqual(["a1", "a2", "a3"]);
    expect(queue.size).toBe(0);
    expect(queue.shift()).toBeUndefined();
  });

  it("gives each caller its turn, however much one of them asks for", () => {
    const queue = new FairQueue<Item>();
    for (const number of [1, 2, 3, 4]) queue.push("greedy", item("greedy", number));
    queue.push("b", item("b", 1));
    queue.push("c", item("c", 1));
    queue.push("b", item("b", 2));

    expect(drain(queue)).toEqual(["greedy1", "b1", "c1", "greedy2", "b2", "greedy3", "greedy4"]);
  });

  it("lets a caller that comes new wait for those that wait already", () => {
    const queue = new FairQueue<Item>();
    for (const number of [1, 2]) for (const caller of ["a", "b"]) queue.push(caller, item(caller, number));
    queue.shift();
    queue.push("c", item("c", 1));

    expect(drain(queue)).toEqual(["b1", "a2", "c1", "b2"]);
  });

  it("removes an item from anywhere, once", () => {
    const queue = new FairQueue<Item>();
    const items = [1, 2, 3].map((number) => item("a", number));
    for (const each of items) queue.push("a", each);

    expect(queue.remove(items[1]!)).toBe(true);
    expect(queue.remove(items[1]!)).toBe(false);
    expect(drain(queue)).toEqual(["a1", "a3"]);
  });

  it("is empty before its first item and after its last, and takes new ones then", () => {
    const queue = new FairQueue<{ name: string }>();
    const only = { name: "a" };
    expect([queue.size, queue.items(), queue.shift(), queue.remove(only)]).toEqual([0, [], undefined, false]);

    queue.push("x", only);
    expect([queue.size, queue.shift(), queue.size, queue.shift(), queue.remove(only)]).toEqual([
      1,
      only,
      0,
      undefined,
      false,
    ]);
    queue.push("y", only);
    expect([queue.items(), queue.shift()]).toEqual([[only], only]);
  });

  it("keeps whose turn it is when another caller's last item is removed", () => {
    const queue = new FairQueue<{ name: string }>();
    const [a, b, c] = ["a", "b", "c"].map((name) => ({ name }));
    for (const each of [a!, b!, c!]) queue.push(each.name, each);

    queue.remove(b!);
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual([a, c, undefined]);
  });

  it("does not take the same item twice", () => {
    const queue = new FairQueue<Item>();
    const one = item("a", 1);
    queue.push("a", one);
    queue.push("b", one);

    expect(drain(queue)).toEqual(["a1"]);
  });

  it("does what a plain list of lanes would do, in any sequence of steps", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("push" as const), caller: fc.constantFrom("a", "b", "c", "d") }),
      fc.record({ kind: fc.constant("shift" as const) }),
      fc.record({ kind: fc.constant("remove" as const), number: fc.nat(100) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        expect(play(steps, new FairQueue<Item>())).toEqual(play(steps, plainQueue()));
      }),
      { numRuns: 500 },
    );
  });
});

type Step = { kind: "push"; caller: string } | { kind: "shift" } | { kind: "remove"; number: number };

function play(steps: readonly Step[], queue: Queue): unknown[] {
  const items = steps.map((step, number) => item(step.kind === "push" ? step.caller : "nobody", number));
  const log = steps.map((step, number) => {
    if (step.kind === "shift") return [queue.next, queue.shift()];
    if (step.kind === "remove") return queue.remove(items[step.number] ?? item("nobody", -1));
    queue.push(step.caller, items[number]!);
    return queue.size;
  });
  return [...log, drain(queue)];
}

/** The same promise, kept slowly: the lane at the front has its turn. */
function plainQueue(): Queue {
  let lanes: { caller: string; items: Item[] }[] = [];
  const tidy = (): void => {
    lanes = lanes.filter((lane) => lane.items.length > 0);
  };
  return {
    get size() {
      return lanes.flatMap((lane) => lane.items).length;
    },
    get next() {
      return lanes[0]?.items[0];
    },
    push: (caller, one) => {
      const lane = lanes.find((each) => each.caller === caller);
      if (lane === undefined) lanes.push({ caller, items: [one] });
      else lane.items.push(one);
    },
    shift: () => {
      const lane = lanes.shift();
      const one = lane?.items.shift();
      if (lane !== undefined) lanes.push(lane);
      tidy();
      return one;
    },
    remove: (one) => {
      const lane = lanes.find((each) => each.items.includes(one));
      lane?.items.splice(lane.items.indexOf(one), 1);
      tidy();
      return lane !== undefined;
    },
    items: () => lanes.flatMap((lane) => lane.items),
  };
}
