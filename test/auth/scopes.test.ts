import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { missing, scopesOf, scopesToAsk, union } from "../../src/auth/discovery/scopes.js";

const scope = fc.stringMatching(/^[a-z:]{1,6}$/);
const scopes = fc.array(scope, { maxLength: 8 });

describe("scopes", () => {
  it("unite without losing any, whatever the order", () => {
    fc.assert(
      fc.property(scopes, scopes, (a, b) => {
        const both = union(a, b);
        expect(union(both, both)).toEqual(both);
        expect(new Set(both)).toEqual(new Set(union(b, a)));
        expect(missing([...a, ...b], both)).toEqual([]);
        expect(both.length).toBe(new Set(both).size);
      }),
    );
  });

  it("are taken from texts and lists, without what is no scope", () => {
    expect(scopesOf("a  b,c")).toEqual(["a", "b", "c"]);
    expect(scopesOf(["a", 1, 'b"c', "a", "\n"])).toEqual(["a"]);
    expect(scopesOf(7)).toEqual([]);
    expect(scopesOf(Array.from({ length: 999 }, (_, at) => `s${at}`))).toHaveLength(200);
  });

  it.each([
    [{ challenged: ["c"], supported: ["s"] }, ["c"]],
    [{ supported: ["s", "t"] }, ["s", "t"]],
    [{}, []],
    [{ configured: ["mine"], supported: ["s"] }, ["mine"]],
    [{ configured: ["mine"], challenged: ["c"] }, ["mine", "c"]],
    [{ requested: ["basic"], challenged: ["write"], supported: ["s"] }, ["basic", "write"]],
    [{ supported: ["s"], issuerSupported: ["s", "offline_access"] }, ["s", "offline_access"]],
    [{ supported: ["s"], issuerSupported: ["s"] }, ["s"]],
  ])("to ask for, out of %j", (sources, expected) => {
    expect(scopesToAsk({ offline: true, ...sources })).toEqual(expected);
  });
});
