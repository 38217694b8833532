import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assignNames } from "../../src/tools/names.js";

function flat(servers: { id: string; tools: string[] }[], ids: string[] = []): Record<string, object> {
  return plain(assignNames(servers, "flat", ids));
}

function plain(names: Map<string, Map<string, string>>): Record<string, object> {
  return Object.fromEntries([...names].map(([id, tools]) => [id, Object.fromEntries(tools)]));
}

function all(names: Map<string, Map<string, string>>): string[] {
  return [...names.values()].flatMap((tools) => Array.from(tools.values()));
}

describe("public names", () => {
  it("are mcp_<id>_<tool>, lower-cased, with everything else replaced by _", () => {
    expect(flat([{ id: "my-files", tools: ["Read.File", "list"] }])).toEqual({
      "my-files": { "Read.File": "mcp_my_files_read_file", list: "mcp_my_files_list" },
    });
  });

  it("keep case and - in the scoped form", () => {
    expect(plain(assignNames([{ id: "my-files", tools: ["Read-File", "a.b"] }], "scoped"))).toEqual({
      "my-files": { "Read-File": "mcp__my-files__Read-File", "a.b": "mcp__my-files__a_b" },
    });
  });

  it("count on where tools become equal; the one that needs no change stays plain", () => {
    const tools = ["read-file", "read_file", "read.file", "READ_FILE", "read file", "list_resources"];

    expect(flat([{ id: "f", tools }])).toEqual({
      f: {
        read_file: "mcp_f_read_file",
        READ_FILE: "mcp_f_read_file_2",
        "read file": "mcp_f_read_file_3",
        "read-file": "mcp_f_read_file_4",
        "read.file": "mcp_f_read_file_5",
        list_resources: "mcp_f_list_resources",
      },
    });
  });

  it("never take a counted name that is the plain one of another tool", () => {
    expect(flat([{ id: "f", tools: ["x-y", "x_y", "x_y_2"] }])).toEqual({
      f: { x_y: "mcp_f_x_y", x_y_2: "mcp_f_x_y_2", "x-y": "mcp_f_x_y_3" },
    });
  });

  it("tell servers apart whose ids become equal, whether they run or not", () => {
    const ids = ["foo-bar", "foo_bar"];

    expect(flat([{ id: "foo-bar", tools: ["x"] }], ids)).toEqual({ "foo-bar": { x: "mcp_foo_bar_2_x" } });
    expect(flat([{ id: "foo_bar", tools: ["x"] }], ids)).toEqual({ foo_bar: { x: "mcp_foo_bar_x" } });
  });

  it("leave plain names to the configured server with the longest matching beginning", () => {
    const ids = ["a", "a_b"];

    expect(flat([{ id: "a", tools: ["b_x", "c"] }], ids)).toEqual({
      a: { b_x: "mcp_a_2_b_x", c: "mcp_a_c" },
    });
    expect(flat([{ id: "a_b", tools: ["x"] }], ids)).toEqual({ a_b: { x: "mcp_a_b_x" } });
  });

  it("do not count into the names of another server", () => {
    const names = flat([
      { id: "a", tools: ["b", "B"] },
      { id: "a_b", tools: ["2"] },
    ]);

    expect(names).toEqual({ a: { b: "mcp_a_2_b", B: "mcp_a_2_b_2" }, a_b: { "2": "mcp_a_b_2" } });
  });

  it("keep the scoped separator inside names apart (a with b__c, a__b with c)", () => {
    const names = assignNames(
      [
        { id: "a", tools: ["b__c"] },
        { id: "a__b", tools: ["c"] },
      ],
      "scoped",
    );

    expect(plain(names)).toEqual({ a: { b__c: "mcp__a_2__b__c" }, a__b: { c: "mcp__a__b__c" } });
  });

  it("are cut to 64 characters with a stable tail", () => {
    const long = "n".repeat(119);
    const names = flat([{ id: "x", tools: [`${long}a`, `${long}b`, "m".repeat(58), "m".repeat(59)] }]);

    expect(names).toEqual({
      x: {
        [`${long}a`]: `mcp_x_${"n".repeat(49)}_tdwn3yah`,
        [`${long}b`]: `mcp_x_${"n".repeat(49)}_sp4qvlt5`,
        ["m".repeat(58)]: `mcp_x_${"m".repeat(58)}`,
        ["m".repeat(59)]: `mcp_x_${"m".repeat(49)}_aw2qbmeh`,
      },
    });
  });

  it("take ids longer than a configuration allows", () => {
    const names = assignNames([{ id: "s".repeat(40), tools: ["k".repeat(128)] }], "flat");

    expect(all(names)[0]).toMatch(/^mcp_s{23}_[a-z2-7]{8}_k+_[a-z2-7]{8}$/);
  });

  const id = fc.stringMatching(/^[ab_2-]{1,6}$/);
  const tool = fc.oneof(fc.stringMatching(/^[abAB_2.-]{1,7}$/), fc.string({ minLength: 1, maxLength: 140 }));
  const fleet = fc.uniqueArray(
    fc.record({ id, tools: fc.uniqueArray(tool, { minLength: 1, maxLength: 8 }) }),
    { selector: (server) => server.id, maxLength: 7 },
  );

  it.each(["flat", "scoped"] as const)("are valid and all different in any fleet (%s)", (naming) => {
    fc.assert(
      fc.property(fleet, (servers) => {
        const names = all(assignNames(servers, naming));

        expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
        expect(new Set(names).size).toBe(servers.reduce((sum, server) => sum + server.tools.length, 0));
      }),
      { numRuns: 500 },
    );
  });

  it.each(["flat", "scoped"] as const)("do not depend on order, nor on who runs (%s)", (naming) => {
    fc.assert(
      fc.property(fleet, (servers) => {
        const ids = servers.map((server) => server.id);
        const whole = assignNames(servers, naming);

        for (const { id: one, tools } of servers) {
          const alone = assignNames([{ id: one, tools: tools.toReversed() }], naming, ids.toReversed());
          expect(plain(alone)[one]).toEqual(plain(whole)[one]);
        }
      }),
      { numRuns: 200 },
    );
  });
});
