import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/events.js";
import { createJournal } from "../../src/streams/journal.js";

const route = { name: "mcp_s_t", server: "s", tool: { name: "t" } };

function log(seq: number): Fact {
  return { seq, at: seq, type: "mcp.log", id: "s", level: "info", message: `fact ${seq}` };
}

/** A journal in which every third of so many facts is the end of a good call that took as long as its number. */
function filled(capacity: number, count: number) {
  const journal = createJournal(capacity);
  for (let seq = 1; seq <= count; seq++) {
    if (seq % 3 !== 0) journal.add(log(seq));
    else journal.note({ kind: "settled", route, count: 0, size: 1, queuedMs: 0, durationMs: seq }, seq);
  }
  return journal;
}

describe("the journal", () => {
  it.each([
    [1, 1],
    [100, 40],
    [100, 100],
    [300, 700],
    [1000, 999],
  ])("with room for %i facts holds the newest of %i, whichever way they came", (capacity, count) => {
    const { facts, complete } = filled(capacity, count).after(0);

    expect(facts).toHaveLength(Math.min(capacity, count));
    expect(facts.every((fact, at) => fact.seq === count - facts.length + 1 + at)).toBe(true);
    expect(facts.every((fact) => fact.at === fact.seq)).toBe(true);
    const calls = facts.filter((fact) => fact.type === "mcp.call.settled");
    expect(calls.every((fact) => fact.seq % 3 === 0 && fact.durationMs === fact.seq)).toBe(true);
    const logs = facts.filter((fact) => fact.seq % 3 !== 0);
    expect(logs).toEqual(logs.map(({ seq }) => log(seq)));
    expect(complete).toBe(count <= capacity);
  });

  it("gives what came after a number, and says when some of that is gone", () => {
    const journal = filled(10, 25);

    expect(journal.after(20).facts.map(({ seq }) => seq)).toEqual([21, 22, 23, 24, 25]);
    expect(journal.after(20).complete).toBe(true);
    expect(journal.after(3)).toMatchObject({ complete: false, facts: { length: 10 } });
  });
});
