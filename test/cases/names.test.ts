import { describe, expect, it } from "vitest";
import type { ServerConfig } from "../../src/index.js";
import { running, scripted } from "../support.js";

const named = (id: string, tag: string, tools: readonly string[]): ServerConfig =>
  scripted(id, "namedTools.mjs", [`--tag=${tag}`, `--tools=${JSON.stringify(tools)}`]);

/** What each public name stands for, as its server says. */
async function routes(
  configs: readonly ServerConfig[],
  naming: "flat" | "scoped" = "flat",
): Promise<Record<string, string>> {
  const supervisor = await running(configs, { naming });
  const found: Record<string, string> = {};
  for (const { name, tool } of supervisor.tools()) {
    found[name] = (await supervisor.callTool(name)).text;
    expect(found[name].endsWith(`:${tool}`)).toBe(true);
  }
  await supervisor.stop();
  return found;
}

describe.each(["flat", "scoped"] as const)("public names, %s", (naming) => {
  it("C062 keeps names apart that become the same, whoever starts first", { timeout: 60_000 }, async () => {
    const raw = ["read-file", "read_file", "read.file", "READ_FILE", "read file", "list_resources"];
    const configs = [named("foo-bar", "A", raw), named("foo_bar", "B", raw)];

    const first = await routes(configs, naming);
    const second = await routes(configs.toReversed(), naming);

    expect(Object.keys(first)).toHaveLength(12);
    expect(Object.values(first).toSorted()).toEqual(
      ["A", "B"].flatMap((tag) => raw.map((name) => `${tag}:${name}`)).toSorted(),
    );
    expect(second).toEqual(first);
  });

  it("C063 keeps names within 64 characters and apart", { timeout: 60_000 }, async () => {
    const raw = [
      `${"n".repeat(119)}a`,
      `${"n".repeat(119)}b`,
      "m".repeat(64),
      "m".repeat(65),
      "k".repeat(128),
      "工具",
      "工县",
      "\u{1f600}",
      "x".repeat(4000),
      "with\nline",
      "a\u0000b",
      " ",
      "__proto__",
      "constructor",
      "toString",
    ];
    const configs = [named("a-server-with-a-name-of-32-chars", "L", raw)];

    const found = await routes(configs, naming);

    expect(Object.keys(found)).toHaveLength(raw.length);
    for (const name of Object.keys(found)) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(Object.values(found).toSorted()).toEqual(raw.map((name) => `L:${name}`).toSorted());
    expect(await routes(configs, naming)).toEqual(found);
  });

  it("C065 routes by a table, not by the separator", async () => {
    const found = await routes(
      [named("a", "a", ["b__c", "b_c"]), named("a__b", "a__b", ["c"]), named("a_b", "a_b", ["c"])],
      naming,
    );
    expect(Object.values(found).toSorted()).toEqual(["a:b__c", "a:b_c", "a__b:c", "a_b:c"]);
  });
});
