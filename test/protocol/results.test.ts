import { describe, expect, it } from "vitest";
import { brokenAnswer, notJson } from "../../src/protocol/brokenAnswer.js";
import { isDeeperThan } from "../../src/protocol/depth.js";
import { withDefaults } from "../../src/protocol/elicitation.js";
import {
  readInputRequired,
  readInputRequests,
  resultTypeOf,
  retryMembers,
} from "../../src/protocol/rounds.js";
import { isOver, mustBeTask, pollDelay, readTask } from "../../src/protocol/tasks.js";
import { quoted, visible } from "../../src/protocol/visible.js";

/** A tool that says this of tasks. */
const tool = (taskSupport?: "required" | "optional" | "forbidden") => ({
  name: "a",
  inputSchema: {},
  ...(taskSupport === undefined ? {} : { execution: { taskSupport } }),
});

describe("a task", () => {
  it.each([
    [{ taskId: "a" }, { id: "a", status: "working" }],
    [
      { taskId: "a", status: "failed", statusMessage: "m", pollInterval: 5 },
      { id: "a", status: "failed", message: "m", pollMs: 5 },
    ],
    [
      { taskId: "a", pollIntervalMs: 7, pollInterval: 5 },
      { id: "a", status: "working", pollMs: 7 },
    ],
    [
      { taskId: "a", status: 1, statusMessage: 2, pollInterval: "5" },
      { id: "a", status: "working" },
    ],
    [
      { taskId: "a", pollInterval: -1 },
      { id: "a", status: "working" },
    ],
    [
      { taskId: "a", pollInterval: 0 },
      { id: "a", status: "working", pollMs: 0 },
    ],
    [{ taskId: 1 }, undefined],
    [null, undefined],
    ["a", undefined],
  ])("is read out of %j as %j", (value, task) => {
    expect(readTask(value)).toStrictEqual(task);
  });

  it.each([
    [undefined, 1000],
    [0, 50],
    [49, 50],
    [51, 51],
    [59_999, 59_999],
    [60_001, 60_000],
    [Infinity, 60_000],
  ])("that wishes for %s ms is looked at after %i ms", (pollMs, delay) => {
    expect(pollDelay({ id: "a", status: "working", ...(pollMs === undefined ? {} : { pollMs }) })).toBe(
      delay,
    );
  });

  it.each([
    ["completed", true],
    ["failed", true],
    ["cancelled", true],
    ["working", false],
    ["input_required", false],
    ["", false],
  ])("that is %s is over: %s", (status, over) => {
    expect(isOver({ id: "a", status })).toBe(over);
  });

  it("is what a call must become that is required to, at a server that serves such calls", () => {
    const serving = { tasks: { requests: { tools: { call: {} } } } };
    expect(mustBeTask(tool("required"), serving)).toBe(true);
    for (const other of [tool(), tool("optional"), tool("forbidden")])
      expect(mustBeTask(other, serving)).toBe(false);
    for (const less of [
      {},
      { tasks: {} },
      { tasks: { requests: { tools: {} } } },
      { tasks: { requests: { tools: { call: true } } } },
    ])
      expect(mustBeTask(tool("required"), less)).toBe(false);
  });
});

describe("a result of several rounds", () => {
  const ask = { method: "elicitation/create", params: { a: 1 } };

  it.each([
    [{}, "complete"],
    [null, "complete"],
    [[], "complete"],
    [{ resultType: "task" }, "task"],
    [{ resultType: 7 }, "7"],
  ])("is told by the type of %j: %s", (result, type) => {
    expect(resultTypeOf(result)).toBe(type);
  });

  it("holds requests, a state, or both", () => {
    const requests = [{ key: "k", ...ask }];
    expect(readInputRequired({ inputRequests: { k: ask }, requestState: "s" })).toStrictEqual({
      requests,
      state: "s",
    });
    expect(readInputRequired({ inputRequests: { k: ask }, requestState: 7 })).toStrictEqual({ requests });
    expect(readInputRequired({ requestState: "" })).toStrictEqual({ requests: [], state: "" });
    for (const none of [{}, null, { inputRequests: {} }, { inputRequests: [ask], requestState: 1 }])
      expect(readInputRequired(none)).toBeUndefined();
    expect(readInputRequests({ a: ask, b: { method: 1 }, c: null, d: "x" })).toEqual([{ key: "a", ...ask }]);
    expect(readInputRequests("x")).toEqual([]);
  });

  it("is retried with answers where something was asked, and with the state where one came", () => {
    const requests = [{ key: "k", ...ask }];
    expect(retryMembers({ requests, state: "s" }, { k: 1 })).toBe(
      '"inputResponses":{"k":1},"requestState":"s",',
    );
    expect(retryMembers({ requests }, { k: 1 })).toBe('"inputResponses":{"k":1},');
    expect(retryMembers({ requests: [], state: "" }, {})).toBe('"requestState":"",');
    expect(retryMembers({ requests: [] }, { k: 1 })).toBe("");
  });
});

describe("a form", () => {
  const schema = { properties: { a: { default: 1 }, b: { default: null }, c: {}, d: "x" } };

  it.each([
    [schema, undefined, { a: 1, b: null }],
    [schema, { a: undefined, b: "", e: 5 }, { a: 1, b: "", e: 5 }],
    [schema, { a: null, c: 0 }, { a: null, b: null, c: 0 }],
    [null, { a: 2 }, { a: 2 }],
    [{ properties: [] }, {}, {}],
  ])("of %j with %j is %j", (of, content, filled) => {
    expect(withDefaults(of, content as never)).toEqual(filled);
  });
});

describe("depth", () => {
  it.each([
    [1, 0, false],
    [null, 0, false],
    [{}, 0, true],
    [[], 1, false],
    [[[]], 1, true],
    [{ a: {} }, 1, true],
    [{ a: 1, b: [{ c: 1 }] }, 3, false],
    [{ a: 1, b: [{ c: 1 }] }, 2, true],
    [[1, [2, [3]]], 2, true],
    [[1, [2, [3]]], 3, false],
  ])("of %j is over %i: %s", (value, limit, isOverLimit) => {
    expect(isDeeperThan(value, limit)).toBe(isOverLimit);
  });
});

describe("an answer that is no JSON", () => {
  it("is told with place and status, and only when it is one", () => {
    expect(brokenAnswer("s", '{"jsonrpc":"2.0","id":3,"result":NaN}')).toEqual({
      id: 3,
      cause: { kind: "not-json", message: 'server "s" sent an answer that is no JSON: NaN at character 34' },
    });
    expect(brokenAnswer("s", "hello")).toBeUndefined();
    expect(notJson("s", "{]", 200)).toStrictEqual({
      kind: "not-json",
      message: 'server "s" answered HTTP 200 with an answer that is no JSON',
      httpStatus: 200,
    });
  });
});

describe("text of a server as it may be shown", () => {
  it.each([
    ["plain", "plain"],
    ["a\u001b[1;31mred\u001b[0m", "ared"],
    ["a\u001b]0;x\u0007", "a\\x1b]0;x\\x07"],
    ["a\nb\tc", "a\\x0ab\tc"],
    ["a\u202eb", "a\\u{202e}b"],
    ["\u0085", "\\x85"],
    ["\u{E0041}", "\\u{e0041}"],
  ])("%j is %s", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it("is cut with a mark where it is longer, and only there", () => {
    expect([visible("abc", 3), visible("abcd", 3)]).toEqual(["abc", "abc…"]);
    expect(quoted("x".repeat(501))).toBe(`${"x".repeat(500)}…`);
    expect(quoted("x".repeat(500))).toBe("x".repeat(500));
  });
});
