// npm run chaos [-- SEEDS]: every proof of docs/reliability.md in full size, one after the other so that none disturbs the
// figures of another, and the figures at the end. Needs a build. SEEDS of the simulation: 100000.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const seeds = process.argv[2] ?? "100000";
const proofs = [
  "test/faults",
  "test/process/shapes.test.ts",
  "test/process/hostDeath.test.ts",
  "test/process/reaper.test.ts",
  "test/process/podman.test.ts",
  "test/graph",
];
const folder = mkdtempSync(join(tmpdir(), "mcpvisor-chaos-"));
const figures = join(folder, "figures.txt");
const begun = performance.now();
const told = [];

function run(args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  return new Promise((done) => child.once("exit", (code) => done(code ?? 1)));
}

async function part(name, args, env) {
  const from = performance.now();
  const code = await run(args, env);
  const minutes = ((performance.now() - from) / 60_000).toFixed(1);
  told.push(`${name}: ${code === 0 ? "passed" : `FAILED (${code})`} in ${minutes} min`);
  return code;
}

const codes = [];
try {
  codes.push(await part("simulation", ["dist/cli/main.js", "chaos", "--simulate", seeds]));
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--no-file-parallelism", ...proofs];
  codes.push(await part("proofs", vitest, { MCPVISOR_FULL: "1", MCPVISOR_FIGURES: figures }));
  if (existsSync(figures)) console.log(`\n${readFileSync(figures, "utf8")}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const load = loadavg()
  .map((each) => each.toFixed(1))
  .join(" ");
console.log(
  [
    ...told,
    `${((performance.now() - begun) / 60_000).toFixed(1)} min in all, ${availableParallelism()} cores (${cpus()[0]?.model}), Node ${process.versions.node}, load ${load}`,
  ].join("\n"),
);
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
