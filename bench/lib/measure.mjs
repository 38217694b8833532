import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./blocks.mjs";

/** Runs one file of bench/measures in a fresh process and gives its result. */
export function measure(name, parameters, nodeFlags = []) {
  const file = fileURLToPath(new URL(`../measures/${name}.mjs`, import.meta.url));
  const out = execFileSync(process.execPath, [...nodeFlags, file, JSON.stringify(parameters)], {
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", process.env.BENCH_DEBUG === undefined ? "ignore" : "inherit"],
  });
  return JSON.parse(out.toString().trim().split("\n").at(-1));
}

/** Several fresh processes, the median of each number in the result. */
export function ofRuns(times, run) {
  return middle(Array.from({ length: times }, run));
}

function middle(all) {
  const [first] = all;
  if (typeof first === "number") return median(all);
  if (typeof first !== "object" || first === null) return first;
  const merged = Object.entries(first).map(([key]) => [key, middle(all.map((each) => each[key]))]);
  return Object.fromEntries(merged);
}
