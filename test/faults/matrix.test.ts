import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { matrix } from "./matrix.js";

const root = resolve(import.meta.dirname, "../..");

const here = matrix.flatMap((row) => (row.run === undefined ? [] : [{ ...row, run: row.run }]));

describe("the fault matrix", () => {
  it("has all 72 rows, each proven somewhere", () => {
    expect(matrix.map(({ row }) => row)).toEqual(Array.from({ length: 72 }, (_, at) => at + 1));
    expect(matrix.filter(({ run, elsewhere = [] }) => run === undefined && elsewhere.length === 0)).toEqual(
      [],
    );
  });

  it("names tests that exist", () => {
    const missing = matrix
      .flatMap(({ row, elsewhere = [] }) => elsewhere.map((each) => ({ row, ...each })))
      .filter(({ file, test }) => !readFileSync(resolve(root, file), "utf8").includes(test));

    expect(missing).toEqual([]);
  });

  it.each(here)("row $row: $fault → $outcome", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
