import type { Fact, FactOf } from "../../index.js";
import type { FakeServer } from "../fake/types.js";
import type { Violation } from "../invariants.js";

interface TakeOver {
  readonly fake: FakeServer;
  readonly generation: number;
  /** Messages that had reached the server by then. */
  after: number;
  /** A removed entry that comes back counts its lives anew. */
  until: number;
}

/** Watches from the servers' side that nobody has more lives than may be, and that a replaced one gets no call any more. */
export class Lives {
  readonly #fakes: readonly FakeServer[];
  readonly #tooMany = new Map<string, Violation>();
  readonly #takeOvers: TakeOver[] = [];

  constructor(fakes: readonly FakeServer[]) {
    this.#fakes = fakes;
  }

  see(fact: Fact): void {
    for (const fake of this.#fakes) this.#count(fake, fact);
    if (fact.type === "mcp.state" && fact.cause.kind === "replaced") this.#note(fact);
    if (fact.type === "mcp.retired") this.#close(fact.id);
  }

  get violations(): readonly Violation[] {
    return [...this.#tooMany.values(), ...this.#takeOvers.flatMap(callsToTheOld)];
  }

  #count({ id, lives, config }: FakeServer, { seq }: Fact): void {
    const most = config.url === undefined ? 1 : 2;
    if (lives > most && !this.#tooMany.has(id))
      this.#tooMany.set(id, { rule: "one-life", message: `${id}: ${lives} lives at the same time`, seq });
  }

  #note({ id, generation }: FactOf<"mcp.state">): void {
    const fake = this.#fakes.find((each) => each.id === id);
    if (fake === undefined) return;
    const taken: TakeOver = { fake, generation, after: Infinity, until: Infinity };
    this.#takeOvers.push(taken);
    // What was sent before is still on its way in this turn.
    setImmediate(() => {
      taken.after = fake.received.length;
    });
  }

  #close(id: string): void {
    for (const each of this.#takeOvers)
      if (each.fake.id === id) each.until = Math.min(each.until, each.fake.received.length);
  }
}

function callsToTheOld({ fake, generation, after, until }: TakeOver): Violation[] {
  const late = fake.received
    .slice(after, until)
    .find((each) => each.method === "tools/call" && each.generation < generation);
  if (late === undefined) return [];
  const message = `${fake.id}: life ${late.generation} was called after ${generation} had taken over`;
  return [{ rule: "one-life", message }];
}
