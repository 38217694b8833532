// The documentation site: `node scripts/docs.mjs dev` shows it while you write, `build` makes docs/site/.vitepress/dist.
// Pages are laid into docs/site/pages first: docs/ as it is, and the reference that typedoc writes as Markdown. They
// have to lie in the site's own package, or the pages and VitePress would each load a vue of their own.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, watch } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const docs = join(root, "docs");
const site = join(docs, "site");
const pages = join(site, "pages");
const order = process.argv[2] ?? "build";

if (isStale()) npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
rmSync(pages, { recursive: true, force: true });
mkdirSync(pages, { recursive: true });
lay();
node(["node_modules/typedoc/bin/typedoc", "--out", join(pages, "reference")], root);
const vitepress = ["node_modules/vitepress/bin/vitepress.js", order, ...process.argv.slice(3)];
if (order === "dev") follow(spawn(process.execPath, vitepress, { cwd: site, stdio: "inherit" }));
else node(vitepress, site);

/** Copies what is to be read, as old as it is. */
function lay() {
  for (const name of readdirSync(docs).filter((each) => each !== "site")) {
    cpSync(join(docs, name), join(pages, name), { recursive: true, preserveTimestamps: true });
  }
  cpSync(join(site, "index.md"), join(pages, "index.md"), { preserveTimestamps: true });
  // The first page names its picture in its front matter, where no link is resolved.
  cpSync(join(docs, "mcpvisor.svg"), join(pages, "public/mcpvisor.svg"), { preserveTimestamps: true });
}

/** Lays a page again whenever it is saved, for as long as the site is shown. */
function follow(child) {
  const watcher = watch(docs, { recursive: true }, (_, name) => {
    if (name && (!name.startsWith("site") || name === join("site", "index.md"))) lay();
  });
  child.on("exit", (code) => {
    watcher.close();
    process.exitCode = code ?? 1;
  });
}

/** The site's own packages are installed with its first build, and again when its lockfile has changed. */
function isStale() {
  const installed = join(site, "node_modules/.package-lock.json");
  return (
    !existsSync(installed) || statSync(installed).mtimeMs < statSync(join(site, "package-lock.json")).mtimeMs
  );
}

function node(args, cwd) {
  ended(() => execFileSync(process.execPath, args, { cwd, stdio: "inherit" }));
}

function npm(args) {
  ended(() =>
    execFileSync("npm", args, { cwd: site, stdio: "inherit", shell: process.platform === "win32" }),
  );
}

/** Ends as the program ended: it has said itself what was wrong. */
function ended(program) {
  try {
    program();
  } catch (error) {
    process.exit(error.status ?? 1);
  }
}
