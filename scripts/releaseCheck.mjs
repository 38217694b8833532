// Judges the package as it would be published: `npm run release:check` (it builds first), in a release with
// `-- --tag v1.2.3`. Everything is asked of the packed tarball, which lies in a temporary folder and is removed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const at = process.argv.indexOf("--tag");
const folder = mkdtempSync(join(tmpdir(), "mcpvisor-release-"));
const failed = [];

try {
  if (at >= 0) check("tag and changelog", () => released(process.argv[at + 1]));
  check("pack", () => npm("pack", "--silent", "--ignore-scripts", "--pack-destination", folder));
  const tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "nothing was packed",
  );
  check("publint", () => bin("publint/src/cli.js", "--strict", tarball));
  // The package is for ES modules only: resolution by `require` and of before Node 16 is out of question.
  check("are the types wrong", () =>
    bin("@arethetypeswrong/cli/dist/index.js", tarball, "--profile", "esm-only"),
  );
  check("files of the package", () => bin("vitest/vitest.mjs", "run", "test/package"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed.length === 0 ? "fit for release" : `not fit for release: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function check(name, work) {
  console.log(`\n--- ${name}`);
  if (!work()) failed.push(name);
}

/** A release has the version of its tag, and a section of that version in the changelog. */
function released(tag) {
  const wrong = [];
  if (tag !== `v${version}`) wrong.push(`the tag is ${tag}, and package.json says ${version}`);
  const changes = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  if (!changes.includes(`## [${version}]`)) wrong.push(`CHANGELOG.md has no section [${version}]`);
  for (const each of wrong) console.error(each);
  return wrong.length === 0;
}

function bin(path, ...args) {
  return run(process.execPath, [join(root, "node_modules", path), ...args]);
}

function npm(...args) {
  const cli = process.env.npm_execpath;
  if (cli !== undefined) return run(process.execPath, [cli, ...args]);
  return run(process.platform === "win32" ? "npm.cmd" : "npm", args);
}

function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit" }).status === 0;
}
