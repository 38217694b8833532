import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { builtinModules } from "node:module";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { version } from "../../src/version.js";

const root = resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
};

interface Packed {
  readonly path: string;
  readonly size: number;
}

/** What lies beside dist/ in the package, as patterns of this tree. */
const beside =
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|docs\/[^/]+\.(?:md|svg)|schema\/[^/]+\.json)$/;
/** The dashboard as vite writes it. */
const dashboard = /^dist\/http\/web\/(?:index\.html|assets\/[\w-]+\.(?:js|css|svg))$/;

/** Libraries that were put in, with their licences (scripts/vendor.mjs). */
const vendor = /^dist\/vendor\/(?:[\w-]+\.js|LICENSES\.txt)$/;

/** The whole tarball, unpacked: it grows with the source and the libraries that were put in, and with nothing else. */
const mostBytes = 5_000_000;

let packed: readonly Packed[] = [];

beforeAll(async () => {
  packed = await pack();
}, 120_000);

describe("the package", () => {
  it("holds the modules that its doors, commands, workers and what they import name, and no other", () => {
    const built = paths().filter(
      (path) => path.endsWith(".js") && !dashboard.test(path) && !vendor.test(path),
    );
    const named = [
      ...Object.values(manifest.exports).flatMap((door) => (typeof door === "string" ? [] : [door.default])),
      ...Object.values(manifest.bin),
      ...filesOf("src")
        .filter((path) => path.endsWith(".ts"))
        .flatMap(besides),
    ].map((path) => path.replace(/^\.\//, ""));

    expect(built.toSorted(), "run `npm run build` first").toEqual([...reachable(named, ".js")].toSorted());
  });

  it("holds the declarations that its doors lead to, and no other", () => {
    const doors = Object.values(manifest.exports).flatMap((door) =>
      typeof door === "string" ? [] : [door.types.replace(/^\.\//, "")],
    );
    const declared = paths().filter((path) => path.endsWith(".d.ts"));

    expect(declared.toSorted()).toEqual([...reachable(doors, ".d.ts")].toSorted());
  });

  it("imports nothing but what is installed with it, or what the host brings", () => {
    const known = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, mcpvisor: "" });
    const bare = paths()
      .filter((path) => /\.(?:js|d\.ts)$/.test(path) && !dashboard.test(path))
      .flatMap((path) => packagesIn(readFileSync(join(root, path), "utf8")));

    expect([...new Set(bare)].filter((name) => !known.includes(name))).toEqual([]);
    expect(Object.keys(manifest.dependencies).filter((name) => !bare.includes(name))).toEqual([]);
  });

  it("reads no package.json, and needs to know where it lies only when something there is used", () => {
    const modules = paths().filter((path) => path.endsWith(".js") && !path.startsWith("dist/cli/"));
    const early = modules.filter((path) =>
      /^(?:export )?(?:const|let|var) .*import\.meta\.url|["'][./]*package\.json["']/m.test(
        readFileSync(join(root, path), "utf8"),
      ),
    );

    expect(early.filter((path) => !vendor.test(path))).toEqual([]);
  });

  it("tells servers and people the version of its manifest", () => {
    expect(version).toBe(manifest.version);
  });

  it("holds the licences of what was put in", () => {
    const notices = readFileSync(join(root, "dist/vendor/LICENSES.txt"), "utf8");

    for (const name of ["zod", "hono", "commander", "execa", "jsonc-parser", "pino"])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, "m"));
  });

  it("holds the dashboard", () => {
    const page = paths().filter((path) => dashboard.test(path));

    expect(page).toContain("dist/http/web/index.html");
    expect(page.filter((path) => path.endsWith(".js"))).toHaveLength(1);
    expect(page.filter((path) => path.endsWith(".css"))).toHaveLength(1);
  });

  it("holds what its doors and commands name", () => {
    const named = [
      ...Object.values(manifest.exports).flatMap((door) =>
        typeof door === "string" ? [door] : [door.types, door.default],
      ),
      ...Object.values(manifest.bin),
    ].map((path) => path.replace(/^\.\//, ""));

    expect(named.filter((path) => !paths().includes(path))).toEqual([]);
  });

  it("holds the pages and schemas of this tree, and nothing else: no source map, test, picture or state", () => {
    const rest = paths().filter(
      (path) => !/^dist\/.*(?:\.js|\.d\.ts)$/.test(path) && !dashboard.test(path) && !vendor.test(path),
    );
    const tree = ["docs", "schema", "."].flatMap((folder) => filesOf(folder, folder !== "."));

    expect(rest.toSorted()).toEqual(tree.filter((path) => beside.test(path)).toSorted());
  });

  it(`is smaller than ${mostBytes / 1e6} MB`, () => {
    expect(packed.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(mostBytes);
  });
});

function paths(): string[] {
  return packed.map(({ path }) => path);
}

/** What `npm pack` would take, without building anything. */
async function pack(): Promise<readonly Packed[]> {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const npm = process.env["npm_execpath"];
  const windows = process.platform === "win32";
  const { stdout } =
    npm === undefined || !/\.c?js$/.test(npm)
      ? await promisify(execFile)(windows ? "npm.cmd" : "npm", args, {
          cwd: root,
          shell: windows,
          maxBuffer: 2 ** 26,
        })
      : await promisify(execFile)(process.execPath, [npm, ...args], { cwd: root, maxBuffer: 2 ** 26 });
  return (JSON.parse(stdout) as [{ files: Packed[] }])[0].files;
}

/** Names of the packages that a module or a declaration takes something from. */
function packagesIn(text: string): string[] {
  const from =
    /^(?:import|export)\s[^;'"]*?\bfrom\s+["']([^"'.][^"']*)["']|\bimport\(["']([^"'.][^"']*)["']\)/gm;
  return [...text.matchAll(from)]
    .map(([, first, second]) => first ?? second ?? "")
    .filter((name) => !name.startsWith("node:") && !builtinModules.includes(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
}

/** Modules that run in a process or thread of their own, by the file that starts them. */
function besides(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/new URL\("([\w./]+\.js)", import\.meta\.url\)/g)].map(([, own]) =>
    slashes(join("dist", dirname(path).replace(/^src\/?/, ""), own!)),
  );
}

/** Files by what they import, from these on. */
function reachable(from: readonly string[], ending: ".js" | ".d.ts"): ReadonlySet<string> {
  const imported =
    ending === ".js"
      ? /(?:\bfrom |^import |\bimport\()["'](\.{1,2}\/[^"']+)\.js["']/gm
      : /["'](\.{1,2}\/[^"']+)\.js["']/g;
  const found = new Set<string>();
  const open = [...from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || vendor.test(path)) continue;
    found.add(path);
    const text = readFileSync(join(root, path), "utf8");
    for (const [, what] of text.matchAll(imported)) open.push(slashes(join(dirname(path), what + ending)));
  }
  return found;
}

function filesOf(folder: string, recursive = true): string[] {
  return readdirSync(join(root, folder), { recursive, encoding: "utf8" })
    .map((name) => join(root, folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => slashes(relative(root, path)));
}

function slashes(path: string): string {
  return path.split(sep).join("/");
}
