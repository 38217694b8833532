// Runs the test suite on other versions of Node than the one at hand: `npm run test:nodes -- [22] [24] [test files …]`.
// The binaries are npm packages, fetched into a temporary folder that is removed afterwards.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

const args = process.argv.slice(2);
const wanted = args.filter((each) => /^\d+$/.test(each));
const files = args.filter((each) => !/^\d+$/.test(each));
const versions = wanted.length > 0 ? wanted : ["22", "24"];
const { platform, arch } = process;
const binary = `node-${platform}-${arch}`;
const vitest = resolve(
  import.meta.dirname ?? dirname(new URL(import.meta.url).pathname),
  "../node_modules/vitest/vitest.mjs",
);
const folder = mkdtempSync(join(tmpdir(), "mcpvisor-nodes-"));
let failed = 0;

try {
  for (const version of versions) {
    const place = join(folder, version);
    const fetch = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", place];
    run("npm", [...fetch, `${binary}@${version}`], process.env);
    const bin = join(place, "node_modules", binary, "bin");
    const node = join(bin, "node");
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    run(node, ["-p", "'Node ' + process.version"], env);
    if (!run(node, [vitest, "run", ...files], env)) failed++;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

function run(command, argv, env) {
  return spawnSync(command, argv, { stdio: "inherit", env }).status === 0;
}
