// Runs the test suite on other versions of Node than the one at hand: `npm run test:nodes -- [VERSION …] [test files …]`.
// Without versions: the oldest that is supported, and the newest of each line since.
// The binaries are npm packages, fetched into a temporary folder that is removed afterwards.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

const args = process.argv.slice(2);
const isVersion = (each) => /^\d+(\.\d+){0,2}$/.test(each);
const wanted = args.filter((each) => isVersion(each));
const files = args.filter((each) => !isVersion(each));
const versions = wanted.length > 0 ? wanted : ["20.20.0", "22", "24", "26"];
const { platform, arch } = process;
const binary = `node-${platform}-${arch}`;
const vitest = resolve(
  import.meta.dirname ?? dirname(new URL(import.meta.url).pathname),
  "../node_modules/vitest/vitest.mjs",
);
const folder = mkdtempSync(join(tmpdir(), "mcpvisor-nodes-"));
const told = [];

try {
  for (const version of versions) {
    const place = join(folder, version);
    const fetch = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", place];
    run("npm", [...fetch, `${binary}@${version}`], process.env);
    const bin = join(place, "node_modules", binary, "bin");
    const node = join(bin, "node");
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    run(node, ["-p", "'Node ' + process.version"], env);
    const begun = performance.now();
    const passed = run(node, [vitest, "run", ...files], env);
    const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
    told.push({ passed, line: `Node ${version}: ${passed ? "passed" : "FAILED"} in ${minutes} min` });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(told.map(({ line }) => line).join("\n"));
process.exitCode = told.every(({ passed }) => passed) ? 0 : 1;

function run(command, argv, env) {
  return spawnSync(command, argv, { stdio: "inherit", env }).status === 0;
}
