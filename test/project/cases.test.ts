import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { inTodaysWords } from "../../scripts/cases/copy.mjs";
import { judge, orphans } from "../../scripts/cases/judge.mjs";
import type { Choice } from "../../scripts/cases/judge.mjs";

const root = resolve(import.meta.dirname, "../..");
const choices = JSON.parse(readFileSync(join(root, "scripts/cases/choices.json"), "utf8")) as Choice[];
const file = "d999-x.mjs";
const choice: Choice = { case: file, check: "b", reason: "why", docs: "reliability.md#x" };
const line = (check: string, ok: boolean): string => JSON.stringify({ id: "D999", check, ok, seen: "s" });
const run = (code: number | undefined, ...lines: string[]) => ({ file, code, output: lines.join("\n") });

describe("the verdict on an acceptance program", () => {
  it.each([
    ["all right", run(0, line("a", true)), [], { ok: 1, chosen: 0, problems: [] }],
    ["a wrong check", run(1, line("a", false)), [], { ok: 0, chosen: 0, problems: ["a: s"] }],
    [
      "a documented one",
      run(1, line("a", true), line("b", false)),
      [choice],
      { ok: 1, chosen: 1, problems: [] },
    ],
    [
      "a choice of another program",
      run(1, line("b", false)),
      [{ ...choice, case: "d998.mjs" }],
      { problems: ["b: s"] },
    ],
    [
      "one that no longer applies",
      run(0, line("b", true)),
      [choice],
      { problems: [expect.stringContaining("no longer")] },
    ],
    [
      "one whose check is gone",
      run(0, line("a", true)),
      [choice],
      { problems: [expect.stringContaining("no longer")] },
    ],
    [
      "chance, right",
      run(0, line("b", true)),
      [{ ...choice, sometimes: true as const }],
      { ok: 1, problems: [] },
    ],
    [
      "chance, wrong",
      run(1, line("b", false)),
      [{ ...choice, sometimes: true as const }],
      { chosen: 1, problems: [] },
    ],
    [
      "nothing judged",
      run(0, "noise", "{broken"),
      [],
      { problems: [expect.stringContaining("judged nothing")] },
    ],
    ["its limit", run(undefined, line("a", true)), [], { problems: ["it did not end within its limit"] }],
    [
      "a crash after its checks",
      run(1, line("a", true)),
      [],
      { problems: [expect.stringContaining("ended with 1")] },
    ],
    [
      "not here",
      run(0, '{"note":"not run","seen":"no root"}'),
      [choice],
      { skipped: "no root", problems: [] },
    ],
  ])("%s", (_, ran, table, verdict) => {
    expect(judge(ran, table)).toMatchObject(verdict);
  });

  it("names choices that no program answers for", () => {
    expect(orphans([choice], ["d001-a.mjs"])).toEqual([`${file}: no such program`]);
    expect(orphans([choice], [file])).toEqual([]);
  });
});

it("says allow-trusted where a program says allow-all, and nothing else differently", () => {
  const text = `{ mode: 'allow-all' } ["--mode", "allow-all"] // allow-all \`allow-all\` 'allow-all"`;
  const today = `{ mode: 'allow-trusted' } ["--mode", "allow-trusted"] // allow-all \`allow-trusted\` 'allow-all"`;
  expect(inTodaysWords(text)).toBe(today);
});

describe("the documented choices", () => {
  it.each(choices)("$case: $check has a reason and a place in the docs", ({ reason, docs }) => {
    const [page = "", anchor] = docs.split("#");
    const path = join(root, "docs", page);
    expect(reason.length).toBeGreaterThan(20);
    expect(existsSync(path)).toBe(true);
    const titles = [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    expect(titles).toContain(anchor);
  });
});
