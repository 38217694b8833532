import { filter, map } from "rxjs";
import { describe, expect, it } from "vitest";
import { createBus } from "../../src/streams/bus.js";
import { manualClock } from "../rpc/manualClock.js";

const bus = (journalSize = 100) => createBus({ clock: manualClock(5), journalSize });
const log = (message: string) => ({ type: "mcp.log", id: "a", level: "info", message }) as const;

describe("the bus", () => {
  it("numbers facts from 1 without gaps and stamps them", () => {
    const subject = bus();
    const seen: unknown[] = [];
    subject.events$.subscribe((fact) => seen.push([fact.seq, fact.at, fact.type]));

    subject.publish(log("one"));
    subject.publish(log("two"));

    expect(seen).toEqual([
      [1, 5, "mcp.log"],
      [2, 5, "mcp.log"],
    ]);
  });

  it("tells every subscriber the same order when one of them publishes", () => {
    const subject = bus();
    const first: number[] = [];
    const second: number[] = [];
    subject.events$.subscribe((fact) => {
      first.push(fact.seq);
      if (fact.seq === 1) subject.publish(log("inner"));
    });
    subject.events$.subscribe((fact) => second.push(fact.seq));

    subject.publish(log("outer"));

    expect(first).toEqual([1, 2]);
    expect(second).toEqual([1, 2]);
  });

  it("survives subscribers that throw, also behind operators, and says so once", () => {
    const subject = bus();
    const seen: string[] = [];
    subject.events$.subscribe(() => {
      throw new Error("plain");
    });
    subject.events$
      .pipe(
        filter(() => true),
        map((fact) => fact.type),
      )
      .subscribe({
        next: () => {
          throw new Error("piped");
        },
      });
    subject.events$.subscribe((fact) => seen.push(fact.type === "mcp.log" ? fact.message : fact.type));

    subject.publish(log("one"));
    subject.publish(log("two"));

    expect(seen).toEqual(["one", "a subscriber of the event stream threw: plain", "two"]);
  });

  it("replays what the journal still holds and says when something is gone", () => {
    const subject = bus(3);
    for (const text of ["1", "2", "3", "4", "5"]) subject.publish(log(text));

    expect(subject.replay(3).facts.map((fact) => fact.seq)).toEqual([4, 5]);
    expect(subject.replay(3).complete).toBe(true);
    expect(subject.replay(2).complete).toBe(true);
    expect(subject.replay(1).complete).toBe(false);
    expect(subject.replay(1).facts.map((fact) => fact.seq)).toEqual([3, 4, 5]);
    expect(subject.replay(5)).toEqual({ facts: [], complete: true });
  });

  it("tells and replays the facts of good calls, which it keeps as numbers", () => {
    const subject = bus(4);
    const route = { name: "files.read", server: "files", tool: { name: "read" } };
    const seen: unknown[] = [];
    subject.publish(log("gone"));
    subject.note({ kind: "started", route, count: 7, size: 12, queuedMs: 0, durationMs: 0 });
    subject.events$.subscribe((fact) => seen.push(fact));
    subject.note({ kind: "settled", route, count: 7, size: 40, queuedMs: 0.5, durationMs: 2.25 });
    subject.publish(log("between"));
    subject.note({ kind: "started", route, count: 8, size: 3, queuedMs: 0, durationMs: 0 });

    const head = { id: "files", tool: "read", name: "files.read" };
    const first = { type: "mcp.call.started", seq: 2, at: 5, call: "call-7", ...head, argumentBytes: 12 };
    const later = [
      {
        type: "mcp.call.settled",
        seq: 3,
        at: 5,
        call: "call-7",
        ...head,
        ok: true,
        sent: "yes",
        queuedMs: 0.5,
        durationMs: 2.25,
        resultChars: 40,
      },
      { type: "mcp.log", seq: 4, at: 5, id: "a", level: "info", message: "between" },
      { type: "mcp.call.started", seq: 5, at: 5, call: "call-8", ...head, argumentBytes: 3 },
    ];
    expect(seen).toEqual(later);
    expect(subject.replay(1)).toEqual({ facts: [first, ...later], complete: true });
    expect(subject.replay(0).complete).toBe(false);
  });

  it("keeps no subscriber after it has left", () => {
    const subject = bus();
    const seen: number[] = [];
    const subscription = subject.events$.subscribe((fact) => seen.push(fact.seq));
    subject.publish(log("one"));

    subscription.unsubscribe();
    subject.publish(log("two"));

    expect(seen).toEqual([1]);
  });
});
