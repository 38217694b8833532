import { describe, expect, it } from "vitest";
import {
  isLegacy,
  isModern,
  legacyRevisions,
  newestMutual,
  otherVersionsIn,
  versionsNamedIn,
} from "../../src/protocol/revision.js";
import { isRecord, readCapabilities, readServerInfo } from "../../src/protocol/serverInfo.js";

describe("revisions", () => {
  it("are of one of two families, or not known", () => {
    expect(legacyRevisions.map((each) => [isLegacy(each), isModern(each)])).toEqual(
      legacyRevisions.map(() => [true, false]),
    );
    expect([isLegacy("2026-07-28"), isModern("2026-07-28")]).toEqual([false, true]);
    expect([isLegacy("2020-01-01"), isModern("")]).toEqual([false, false]);
  });

  it("are shared by the newest that both know, in the order of ours", () => {
    expect(newestMutual(["2024-11-05", "2025-06-18", 7], legacyRevisions)).toBe("2025-06-18");
    expect(newestMutual(["2031-01-01"], legacyRevisions)).toBeUndefined();
  });

  it.each<[unknown, string[]]>([
    [undefined, []],
    [null, []],
    ["2025-06-18", []],
    [7, []],
    [
      ["a", 1, null, "b"],
      ["a", "b"],
    ],
    [{ supported: ["a"], requested: "b", other: [["c"], 2] }, ["a"]],
    [{ x: { length: 1, 0: "a" } }, []],
  ])("are read out of the data %j of an error: %j", (data, versions) => {
    expect(versionsNamedIn(data)).toEqual(versions);
  });

  it.each<[string, unknown, string[]]>([
    ["use 2024-11-05 or 2025-06-18", undefined, ["2024-11-05", "2025-06-18"]],
    ["use 2024-11-05", { supported: ["2025-06-18", "2025-11-25", "2025-06-18"] }, ["2025-06-18"]],
    ["no", { hint: "2024-11-05, not 2025-11-25" }, ["2024-11-05"]],
    ["no", "speaks 2024-11-05", ["2024-11-05"]],
    ["no", null, []],
    ["2025-11-25 is not known", { n: 7 }, []],
  ])("besides the offered one are found in the refusal %j with %j: %j", (message, data, versions) => {
    expect(otherVersionsIn({ message, data }, "2025-11-25")).toEqual(versions);
  });
});

describe("what a server says of itself", () => {
  it.each([
    [
      { name: "a", version: "1", title: "A", more: 1 },
      { name: "a", version: "1", title: "A" },
    ],
    [
      { name: 1, version: null, title: 3 },
      { name: "unknown", version: "unknown" },
    ],
    [null, { name: "unknown", version: "unknown" }],
    ["a", { name: "unknown", version: "unknown" }],
    [[], { name: "unknown", version: "unknown" }],
  ])("%j is read as %j", (value, info) => {
    expect(readServerInfo(value)).toStrictEqual(info);
  });

  it("and what it can do is an object, or nothing", () => {
    const capabilities = { tools: {} };
    expect(readCapabilities(capabilities)).toBe(capabilities);
    for (const other of [undefined, null, "abc", 7, [], true]) {
      expect([readCapabilities(other), isRecord(other)]).toEqual([{}, false]);
    }
    expect(isRecord({})).toBe(true);
  });
});
