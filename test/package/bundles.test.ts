import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const hosts = resolve(import.meta.dirname, "hosts");
const bundle = resolve(import.meta.dirname, "bundle.mjs");
const greeter = join(root, "examples/servers/greeter.mjs");

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

// [bundler, program, what is started]; the build of the package is what is bundled.
const programs = [
  ["esbuild-esm", "agent.mjs", "out.mjs"],
  ["esbuild-minified", "agent.mjs", "out.mjs"],
  ["esbuild-cjs", "agentPlain.mjs", "out.cjs"],
  ["rolldown", "agent.mjs", "out.mjs"],
  ["vite-ssr", "agent.mjs", "ssr/out.mjs"],
  ["webpack", "agentPlain.mjs", "out.cjs"],
  ["esbuild-cjs", "electronMain.mjs", "out.cjs"],
  ["esbuild-cjs", "extension.mjs", "extensionHost.cjs"],
] as const;

it.each(programs)(
  "%s makes one program of %s that starts servers and writes files",
  async (how, program, start) => {
    const made = await stranger();
    await run(process.execPath, [bundle, how, join(made, program), made]);
    const alone = await scratch();
    await cp(made, alone, { recursive: true, filter: (path) => !path.includes("node_modules") });
    await surroundings(alone);
    const file = join(alone, "mcp.json");
    await writeFile(
      file,
      `{
  // one server, and one that is switched off
  "mcpServers": {
    "greeter": { "command": "node", "args": [${JSON.stringify(greeter)}] },
    "spare": { "command": "node", "args": ["no-such-file.mjs"], "disabled": true }, // stays as it is
  },
}
`,
    );

    const { stdout } = await run(process.execPath, [join(alone, start), file, join(alone, "home")]);

    expect(JSON.parse(stdout)).toEqual({ ok: true, problems: [], text: "Hello, bundle!" });
    expect(await readFile(file, "utf8")).toContain("// stays as it is");
  },
);

/** A folder of somebody else's, where `mcpvisor` is a package. */
async function stranger(): Promise<string> {
  const folder = await scratch();
  await cp(hosts, folder, { recursive: true });
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules/mcpvisor"), "junction");
  return folder;
}

/** What Electron and VS Code bring: modules that are in no package. */
async function surroundings(folder: string): Promise<void> {
  for (const name of ["electron", "vscode"]) {
    await mkdir(join(folder, "node_modules", name), { recursive: true });
    await cp(join(hosts, `${name}.cjs`), join(folder, "node_modules", name, "index.js"));
  }
}

async function scratch(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "mcpvisor-bundles-")));
  folders.push(folder);
  return folder;
}
