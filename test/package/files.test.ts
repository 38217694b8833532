import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
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

/** The whole tarball, unpacked: it grows with the source, and with nothing else. */
const mostBytes = 2_400_000;

let packed: readonly Packed[] = [];

beforeAll(async () => {
  packed = await pack();
}, 120_000);

describe("the package", () => {
  it("holds the modules that its doors, commands, workers and what they import name, and no other", () => {
    const built = paths().filter((path) => path.endsWith(".js") && !dashboard.test(path));
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
    const rest = paths().filter((path) => !/^dist\/.*(?:\.js|\.d\.ts)$/.test(path) && !dashboard.test(path));
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
    if (found.has(path)) continue;
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
