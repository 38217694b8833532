// Prints how large the files of the house are: `npm run house`.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../src");
const shown = 10;

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(root, name))
  .map((file) => ({ file: relative(root, file), lines: readFileSync(file, "utf8").split("\n").length - 1 }))
  .toSorted((a, b) => a.lines - b.lines);

/** The smallest number that so large a share of the files does not exceed. */
const lines = (share) => files[Math.ceil(files.length * share) - 1].lines;

console.log(
  `${files.length} files: median ${lines(0.5)} lines, 95th percentile ${lines(0.95)}, largest ${lines(1)}`,
);
for (const { file, lines: count } of files.slice(-shown).toReversed()) console.log(`${count}  src/${file}`);
