import { assert, dictionary, jsonValue, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/index.js";
import { argumentsOf, fieldsOf } from "../../src/http/web/model/form.js";
import { visible } from "../../src/http/web/model/format.js";
import { emptyHistory, learn } from "../../src/http/web/model/history.js";
import { quantile, restartsOf, seriesOf } from "../../src/http/web/model/series.js";

describe("a form made from a schema", () => {
  it("has required fields first, each with the simplest input that fits", () => {
    const fields = fieldsOf({
      required: ["n"],
      properties: {
        name: { type: "string", default: "x" },
        prompt: { type: "string" },
        n: { type: "integer" },
        on: { type: "boolean" },
        mode: { enum: ["a", 2] },
        tags: { type: "array", items: { type: "string" } },
        rest: { type: ["object", "null"] },
      },
    });

    expect(fields.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      "n: integer",
      "name: text",
      "prompt: long-text",
      "on: boolean",
      "mode: choice",
      "tags: lines",
      "rest: json",
    ]);
    expect(fields[1]?.initial).toBe("x");
  });

  it("gives back values of the types the schema has, and leaves out what is empty", () => {
    const schema = {
      required: ["name"],
      properties: {
        name: { type: "string" },
        n: { type: "number" },
        mode: { enum: ["a", 2] },
        tags: { type: "array", items: { type: "string" } },
        gone: { type: "string" },
      },
    };
    const values = new Map([
      ["name", ""],
      ["n", "1.5"],
      ["mode", "2"],
      ["tags", "a\n\nb"],
    ]);

    expect(argumentsOf(schema, values)).toEqual({
      ok: true,
      value: { name: "", n: 1.5, mode: 2, tags: ["a", "b"] },
    });
  });

  it("says which fields are wrong", () => {
    const schema = { required: ["n"], properties: { n: { type: "integer" }, o: { type: "object" } } };
    const told = argumentsOf(
      schema,
      new Map([
        ["n", "1.5"],
        ["o", "{"],
      ]),
    );

    expect(told).toEqual({
      ok: false,
      wrong: new Map([
        ["n", "must be a whole number"],
        ["o", "must be JSON"],
      ]),
    });
  });

  it("takes a JSON object when the schema names no properties", () => {
    const schema = { type: "object" };

    expect(argumentsOf(schema, new Map([["", '{"a":1}']]))).toEqual({ ok: true, value: { a: 1 } });
    expect(argumentsOf(schema, new Map([["", "[1]"]]))).toMatchObject({ ok: false });
    expect(argumentsOf(schema, new Map())).toEqual({ ok: true, value: {} });
  });

  it("never throws, whatever a server calls a schema", () => {
    assert(
      property(dictionary(string(), jsonValue()), dictionary(string(), string()), (schema, values) => {
        const told = argumentsOf(schema, new Map(Object.entries(values)));
        expect(typeof told.ok).toBe("boolean");
      }),
    );
  });
});

describe("text of servers", () => {
  it("shows escape, control, bidirectional, zero-width and tag characters as what they are", () => {
    expect(visible("a\u001b[31mb\u0007\u009bc\u202ed\u200be\ufeff\u{e0041}f\tg\nh")).toBe(
      "a\\u{1b}[31mb\\u{7}\\u{9b}c\\u{202e}d\\u{200b}e\\u{feff}\\u{e0041}f\tg\nh",
    );
    expect(visible("naïve 日本 🎉")).toBe("naïve 日本 🎉");
  });
});

describe("what the page keeps of the past", () => {
  it("follows calls from start over progress to settled", () => {
    const facts: Fact[] = [
      { type: "mcp.call.started", call: "1", id: "a", tool: "t", name: "n", seq: 1, at: 10 },
      { type: "mcp.call.started", call: "2", id: "a", tool: "u", name: "n", seq: 2, at: 11 },
      { type: "mcp.call.progress", call: "2", id: "a", progress: 3, total: 9, seq: 3, at: 12 },
      {
        type: "mcp.call.settled",
        call: "1",
        id: "a",
        tool: "t",
        name: "n",
        ok: false,
        failure: "timeout",
        sent: "yes",
        queuedMs: 2,
        durationMs: 5,
        resultChars: 0,
        seq: 4,
        at: 20,
      },
    ];
    const history = learn(learn(emptyHistory, facts.slice(0, 2)), facts.slice(2));

    expect([...history.live.values()]).toEqual([
      { call: "2", server: "a", tool: "u", startedAt: 11, progress: 3, total: 9 },
    ]);
    expect(history.settled).toEqual([{ at: 20, server: "a", ms: 3, ok: false }]);
    expect(history.facts).toHaveLength(4);
    expect(emptyHistory.facts).toHaveLength(0);
  });

  it("keeps a bounded number of facts and steps", () => {
    const cause = { kind: "retry", message: "" } as const;
    const facts = Array.from(
      { length: 6000 },
      (_, at): Fact => ({
        type: "mcp.state",
        id: "a",
        generation: at,
        from: "idle",
        to: "connecting",
        cause,
        seq: at + 1,
        at,
      }),
    );
    const history = learn(emptyHistory, facts);

    expect(history.facts).toHaveLength(5000);
    expect(history.steps.get("a")).toHaveLength(60);
    expect(restartsOf(facts.slice(0, 3)).map((mark) => mark.at)).toEqual([2]);
  });
});

const call = (at: number, ms: number, ok = true) => ({ at, ms, ok, server: "a" });

describe("series", () => {
  it("count calls per second and rank latencies, slice by slice", () => {
    const series = seriesOf(
      [call(500, 9), call(1000, 10), call(1400, 30), call(1900, 20), call(3999, 5, false), call(4000, 1)],
      4000,
      3,
      1000,
    );

    expect(series).toEqual({
      x: [1, 2, 3],
      ok: [3, 0, 0],
      failed: [0, 0, 1],
      p50: [20, null, 5],
      p95: [30, null, 5],
    });
  });

  it("takes the nearest rank", () => {
    expect([
      quantile([], 0.5),
      quantile([1], 0.99),
      quantile([1, 2, 3, 4], 0.5),
      quantile([1, 2, 3, 4], 0.95),
    ]).toEqual([null, 1, 2, 4]);
  });
});
