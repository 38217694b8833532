import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

it("each of the forty obligations has a test that bears its number", async () => {
  const files = (await readdir(import.meta.dirname)).filter((each) => each.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((each) => readFile(join(import.meta.dirname, each), "utf8")));
  const tested = new Set(
    texts.flatMap((text) => [...text.matchAll(/["`](\d+): /g)].map((each) => Number(each[1]))),
  );
  const missing = Array.from({ length: 40 }, (_, at) => at + 1).filter((number) => !tested.has(number));
  expect(missing).toEqual([]);
});
