// npm run cases [-- NAME …]: the acceptance programs of ../shared/cases-2 against the build. Each check is right, or stands
// in scripts/cases/choices.json with its reason and its place in the docs. They are no part of the repository: where their
// folder is not there, this says so and passes.
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { copyOf } from "./cases/copy.mjs";
import { judge, orphans } from "./cases/judge.mjs";
import { runCase } from "./cases/run.mjs";

const root = resolve(import.meta.dirname, "..");
const folder = resolve(root, process.env.MCPVISOR_CASES ?? "../shared/cases-2");
const atOnce = 3;
/** They need a whole core or close to two minutes: they begin first, so that none is left alone at the end. */
const longest = ["d038", "d019", "d046", "d037", "d049", "d053", "d029", "d026"];

if (!existsSync(folder)) {
  console.log(`no cases: ${folder} is not there, nothing was run`);
  process.exit(0);
}
const choices = JSON.parse(readFileSync(join(import.meta.dirname, "cases/choices.json"), "utf8"));
const files = readdirSync(folder).filter((name) => /^d\d{3}\w?-.*\.mjs$/.test(name));
const wanted = process.argv.slice(2);
const rank = (name) => (longest.indexOf(name.slice(0, 4)) + longest.length + 1) % (longest.length + 1);
const queue = files
  .filter((name) => wanted.length === 0 || wanted.some((each) => name.startsWith(each)))
  .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
const all = queue.length;
const copy = copyOf(folder);
// One of them runs a command as another user.
chmodSync(copy, 0o755);
process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const begun = performance.now();
const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(0)} s`;
const sums = { ok: 0, chosen: 0, problems: orphans(choices, files).length, skipped: 0, ran: 0 };
for (const each of orphans(choices, files)) console.log(`FAILED ${each}`);

async function worker() {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const from = performance.now();
    const verdict = judge({ file, ...(await runCase(join(copy, file), root)) }, choices);
    sums.ran += 1;
    sums.ok += verdict.ok;
    sums.chosen += verdict.chosen;
    sums.problems += verdict.problems.length;
    if (verdict.skipped !== undefined) sums.skipped += 1;
    const word = verdict.problems.length > 0 ? "FAILED" : verdict.skipped === undefined ? "ok" : "not run";
    const chosen = verdict.chosen > 0 ? `, ${verdict.chosen} documented` : "";
    console.log(
      `${String(sums.ran).padStart(2)}/${all} ${word} ${file}: ${verdict.skipped ?? `${verdict.ok} right${chosen}`}, ${seconds(from)}`,
    );
    for (const each of verdict.problems) console.log(`      ${each}`);
  }
}

await Promise.all(Array.from({ length: atOnce }, worker));
console.log(
  `${all} programs in ${seconds(begun)}: ${sums.ok} checks right, ${sums.chosen} documented choices, ${sums.skipped} programs not run here, ${sums.problems} wrong`,
);
process.exitCode = sums.problems > 0 ? 1 : 0;
