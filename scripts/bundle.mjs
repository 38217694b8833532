// Makes the modules of dist/ from src/: our own code in few files, what is imported lazily in files of its own, packages
// left to who installs. A process that loads the library opens some thirty files of ours instead of three hundred.
// `node scripts/bundle.mjs --apart FOLDER` writes one module for each source file instead, for measures of single layers.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { rolldown } from "rolldown";

const root = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), "..");
const src = join(root, "src");
const apart = process.argv[2] === "--apart" ? resolve(process.argv[3]) : undefined;

const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((name) => name.split(sep).join("/"))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.startsWith("http/web/"));

/** What is named from outside, and by path: doors, commands, and modules that run in a process or thread of their own. */
function entries() {
  const { exports, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const doors = [...Object.values(exports).flatMap((door) => door.default ?? []), ...Object.values(bin)];
  const own = sources.flatMap((name) =>
    [...readFileSync(join(src, name), "utf8").matchAll(/new URL\("([\w./]+\.js)", import\.meta\.url\)/g)].map(
      ([, path]) => posix.join("dist", posix.dirname(name), path),
    ),
  );
  return new Set([...doors, ...own].map((path) => path.replace(/^(?:\.\/)?dist\//, "").replace(/\.js$/, "")));
}

/** A module that asks where it lies means the place it has in src/; where it lies in dist/ is known when chunks are cut. */
const place = {
  name: "place",
  transform(code, id) {
    if (!code.includes("import.meta.url")) return null;
    const own = relative(src, id).split(sep).join("/").replace(/\.ts$/, ".js");
    return { code: code.replaceAll("import.meta.url", `__place__("${own}")`) };
  },
  renderChunk(code, { fileName }) {
    return code.replaceAll(/__place__\("([^"]+)"\)/g, (_, own) => {
      const way = posix.relative(posix.dirname(fileName), own);
      // Without the mark webpack takes the path for a file to pack.
      return `new URL(/* webpackIgnore: true */ ${JSON.stringify(way)}, import.meta.url).href`;
    });
  },
};

const names = apart === undefined ? entries() : sources.map((name) => name.slice(0, -3));
const bundle = await rolldown({
  cwd: root,
  platform: "node",
  input: Object.fromEntries([...names].map((name) => [name, join(src, `${name}.ts`)])),
  external: (id) => !/^[./]/.test(id) && !/^[a-z]:[\\/]/i.test(id),
  plugins: [place],
});
await bundle.write({
  dir: apart ?? join(root, "dist"),
  format: "esm",
  ...(apart !== undefined && { preserveModules: true, preserveModulesRoot: src }),
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
});
await bundle.close();
