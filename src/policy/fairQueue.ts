interface Node<T> {
  readonly item: T;
  readonly lane: Lane<T>;
  before: Node<T> | undefined;
  after: Node<T> | undefined;
}

interface Lane<T> {
  readonly caller: string;
  first: Node<T> | undefined;
  last: Node<T> | undefined;
  before: Lane<T>;
  after: Lane<T>;
}

/** A queue that shares its turns among callers; each caller's own items stay in order. All operations are O(1). */
export interface FairQueue<T extends object> {
  readonly size: number;
  /** An item that waits already is not added again. */
  push(caller: string, item: T): void;
  /** The next item: one of each caller in turn. */
  shift(): T | undefined;
  /** False when it does not wait (any more). */
  remove(item: T): boolean;
  /** All that wait, in order of arrival, as a copy. */
  items(): T[];
}

/** An empty fair queue. A caller that comes new gets its turn after those that wait already. */
export function fairQueue<T extends object>(): FairQueue<T> {
  const nodes = new Map<T, Node<T>>();
  const lanes = new Map<string, Lane<T>>();
  let turn: Lane<T> | undefined;

  const drop = (node: Node<T>): T => {
    const { lane } = node;
    unlink(node);
    nodes.delete(node.item);
    if (lane.first === undefined) {
      lanes.delete(lane.caller);
      lane.before.after = lane.after;
      lane.after.before = lane.before;
      if (turn === lane) turn = lane.after === lane ? undefined : lane.after;
    }
    return node.item;
  };

  return {
    get size() {
      return nodes.size;
    },
    push: (caller, item) => {
      if (nodes.has(item)) return;
      let lane = lanes.get(caller);
      if (lane === undefined) {
        lane = newLane<T>(caller, turn);
        turn ??= lane;
        lanes.set(caller, lane);
      }
      nodes.set(item, append(lane, item));
    },
    shift: () => {
      const node = turn?.first;
      if (node === undefined) return undefined;
      turn = node.lane.after;
      return drop(node);
    },
    remove: (item) => {
      const node = nodes.get(item);
      if (node === undefined) return false;
      drop(node);
      return true;
    },
    items: () => [...nodes.keys()],
  };
}

/** Joins the ring just before the one whose turn it is: that is its end. */
function newLane<T>(caller: string, turn: Lane<T> | undefined): Lane<T> {
  const lane = { caller, first: undefined, last: undefined } as Lane<T>;
  lane.before = turn?.before ?? lane;
  lane.after = turn ?? lane;
  lane.before.after = lane;
  lane.after.before = lane;
  return lane;
}

function append<T>(lane: Lane<T>, item: T): Node<T> {
  const node: Node<T> = { item, lane, before: lane.last, after: undefined };
  if (lane.last === undefined) lane.first = node;
  else lane.last.after = node;
  lane.last = node;
  return node;
}

function unlink<T>({ lane, before, after }: Node<T>): void {
  if (before === undefined) lane.first = after;
  else before.after = after;
  if (after === undefined) lane.last = before;
  else after.before = before;
}
