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

/**
 * A queue that shares its turns among callers; each caller's own items stay in order, and one that comes new gets its
 * turn after those that wait already. All operations are O(1).
 */
export class FairQueue<T extends object> {
  /** Made for the first item: most servers never have one waiting. */
  #nodes: Map<T, Node<T>> | undefined;
  #lanes: Map<string, Lane<T>> | undefined;
  #turn: Lane<T> | undefined;

  get size(): number {
    return this.#nodes?.size ?? 0;
  }

  /** An item that waits already is not added again. */
  push(caller: string, item: T): void {
    const nodes = (this.#nodes ??= new Map());
    const lanes = (this.#lanes ??= new Map());
    if (nodes.has(item)) return;
    let lane = lanes.get(caller);
    if (lane === undefined) {
      lane = newLane<T>(caller, this.#turn);
      this.#turn ??= lane;
      lanes.set(caller, lane);
    }
    nodes.set(item, append(lane, item));
  }

  /** What `shift` would take. */
  get next(): T | undefined {
    return this.#turn?.first?.item;
  }

  /** The next item: one of each caller in turn. */
  shift(): T | undefined {
    const node = this.#turn?.first;
    if (node === undefined) return undefined;
    this.#turn = node.lane.after;
    return this.#drop(node);
  }

  /** False when it does not wait (any more). */
  remove(item: T): boolean {
    const node = this.#nodes?.get(item);
    if (node === undefined) return false;
    this.#drop(node);
    return true;
  }

  /** All that wait, in order of arrival, as a copy. */
  items(): T[] {
    return [...(this.#nodes?.keys() ?? [])];
  }

  #drop(node: Node<T>): T {
    const { lane } = node;
    unlink(node);
    this.#nodes?.delete(node.item);
    if (lane.first === undefined) {
      this.#lanes?.delete(lane.caller);
      lane.before.after = lane.after;
      lane.after.before = lane.before;
      if (this.#turn === lane) this.#turn = lane.after === lane ? undefined : lane.after;
    }
    return node.item;
  }
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
