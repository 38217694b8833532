import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const tests = join(import.meta.dirname, "..");

/** Numbers that the names of tests give as `(row 7)` or `(rows 19, 35)`: the duties of a client, docs/protocol.md. */
function rowsTested(): Set<number> {
  const rows = new Set<number>();
  for (const file of readdirSync(tests, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".test.ts")) continue;
    for (const [, numbers = ""] of readFileSync(join(tests, file), "utf8").matchAll(
      /\brows? (\d+(?:, \d+)*)/g,
    ))
      for (const number of numbers.split(", ")) rows.add(Number(number));
  }
  return rows;
}

describe("the duties of a client", () => {
  it("are forty, and each has a test that bears its number", () => {
    const tested = rowsTested();
    const missing = Array.from({ length: 40 }, (_, at) => at + 1).filter((row) => !tested.has(row));

    expect(missing).toEqual([]);
  });

  it("are the ones that docs/protocol.md lists", () => {
    const text = readFileSync(join(tests, "../docs/protocol.md"), "utf8");
    const listed = [...text.matchAll(/^\| (\d+) +\|/gm)].map(([, row]) => Number(row));

    expect(listed).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });
});
