// Runs the official conformance suite against client.mjs, one scenario at a time, and fails on fewer successful checks
// than a client that does everything has: a client that does nothing passes some scenarios with no check at all.
// `node test/conformance/run.mjs [scenario]`; needs dist (npm run build).
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parse } from "yaml";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const root = join(here, "../..");
const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Scenario, wire revision, and how many checks must succeed. */
const scenarios = [
  ["initialize", "2025-11-25", 1],
  ["tools_call", "2025-11-25", 2],
  ["sse-retry", "2025-11-25", 3],
  ["elicitation-sep1034-client-defaults", "2025-11-25", 5],
  ["json-schema-2020-12-preservation", "2025-11-25", 9],
  ["tools_call", "2026-07-28", 2],
  ["request-metadata", "2026-07-28", 6],
  ["sep-2322-client-request-state", "2026-07-28", 5],
  ["http-standard-headers", "2026-07-28", 9],
  ["http-custom-headers", "2026-07-28", 18],
  ["http-invalid-tool-headers", "2026-07-28", 12],
  ["json-schema-ref-no-deref", "2026-07-28", 1],
  ["json-schema-2020-12-preservation", "2026-07-28", 9],
];

const only = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "mcpvisor-conformance-results-"));
let failed = 0;
try {
  for (const [scenario, revision, wanted] of scenarios) {
    if (only !== undefined && only !== scenario) continue;
    if (!(await passes(scenario, revision, wanted))) failed++;
  }
  if (only === undefined) failed += await unaccounted();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed === 0 ? "conformance: all passed" : `conformance: ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function passes(scenario, revision, wanted) {
  const out = join(folder, `${scenario}-${revision}`);
  // The suite splits the command on blanks.
  const command = `${process.execPath} ${relative(root, join(here, "client.mjs"))}`;
  const args = ["client", "--command", command, "--scenario", scenario, "--spec-version", revision];
  const { code, text } = await conformance([...args, "--timeout", "60000", "-o", out]);
  const checks = read(out, "checks.json").flatMap((each) => JSON.parse(each));
  const successes = checks.filter(({ status }) => status === "SUCCESS").length;
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const ok = code === 0 && bad.length === 0 && successes >= wanted;
  console.log(`${ok ? "pass" : "FAIL"} ${revision} ${scenario}: ${successes} of ${wanted} checks`);
  if (!ok || process.env.VERBOSE) {
    for (const each of bad)
      console.log(`  ${each.status} ${each.id}: ${each.errorMessage ?? each.description}`);
    for (const each of read(out, "stdout.txt")) console.log(each);
    for (const each of read(out, "stderr.txt")) console.log(each);
    if (checks.length === 0) console.log(text);
    else console.log(checks.map((each) => `  ${each.status} ${each.id}`).join("\n"));
  }
  return ok;
}

/** Scenarios that a revision requires and that stand neither in the table above nor in the baseline. */
async function unaccounted() {
  const excused = new Set(parse(readFileSync(join(here, "baseline.yml"), "utf8")).client);
  const known = new Set(scenarios.map(([name]) => name));
  let count = 0;
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    const file = join(root, `node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`);
    for (const name of parse(readFileSync(file, "utf8")).client) {
      if (known.has(name) || excused.has(name)) continue;
      console.log(`FAIL ${revision} ${name}: neither run nor in baseline.yml`);
      count++;
    }
  }
  return count;
}

function conformance(args) {
  const child = spawn(process.execPath, ["--import", join(here, "preload.mjs"), suite, ...args], {
    cwd: root,
  });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, text })));
}

/** All files of this name below a folder, as text. */
function read(below, name) {
  return readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((each) => each.name === name)
    .map((each) => readFileSync(join(each.parentPath ?? each.path, each.name), "utf8"));
}
