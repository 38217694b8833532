// The second step of the compiler's part of `npm run build`: libraries that only some users need are put into dist/vendor,
// each loaded by what needs it, so that nobody installs their packages, and the parser of JSON with comments in its form
// for ES modules, because bundlers that take its other one make a program that does not start. What speaks to the network
// (undici, oauth4webapi) stays a dependency, so that its fixes reach users without a release of ours.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";

const root = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), "..");
const dist = join(root, "dist");
const vendored = [
  "@cfworker/json-schema",
  "@hono/node-server",
  "@hono/zod-openapi",
  "@modelcontextprotocol/server",
  "commander",
  "execa",
  "jsonc-parser",
  "minisearch",
  "picocolors",
  "pino",
  "prom-client",
  "smol-toml",
  "yaml",
  "zod",
];
/** Asked for by the host's own copy, where there is one. */
const hostsOwn = ["@opentelemetry/api"];

const files = readdirSync(dist, { recursive: true })
  .map((name) => join(dist, name))
  .filter((file) => file.endsWith(".js") && !file.includes(join("http", "web")));
const wanted = new Map();
for (const file of files) collect(readFileSync(file, "utf8"), file);

const inputs = Object.fromEntries([...wanted.keys()].map((name) => [slug(name), `\0door:${name}`]));
const bundle = await rolldown({
  input: inputs,
  platform: "node",
  resolve: { mainFields: ["module", "main"] },
  external: [...builtinModules, /^node:/, ...hostsOwn],
  // A library's own oddities are not ours to mend.
  logLevel: "silent",
  plugins: [{ name: "doors", resolveId: (id) => (id.startsWith("\0door:") ? id : null), load: door }],
});
const { output } = await bundle.write({
  dir: join(dist, "vendor"),
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "shared-[name].js",
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
});
await bundle.close();
for (const file of files) rewrite(file);
notices(output.flatMap((chunk) => chunk.moduleIds ?? []));

/** Notes which names of which vendored module a file takes. */
function collect(text, file) {
  for (const [, clause, name] of text.matchAll(/^(?:import|export)\s+([^;'"]*?)\s+from\s+["']([^"']+)["']/gm))
    note(name, clause);
  for (const [before, name] of text.matchAll(
    /(?:const\s+\{[^}]*\}\s*=\s*await\s+)?import\(["']([^"']+)["']\)/g,
  )) {
    if (!isVendored(name)) continue;
    const names = /^const\s+(\{[^}]*\})/.exec(before)?.[1];
    if (names === undefined)
      throw new Error(`${file}: take names of ${name}: const { name } = await import(…)`);
    note(name, names.replaceAll(/(\w+)\s*:\s*\w+/g, "$1"));
  }
}

function note(name, clause) {
  if (!isVendored(name)) return;
  const names = wanted.get(name) ?? new Set();
  wanted.set(name, names);
  const braces = /\{([^}]*)\}/.exec(clause)?.[1] ?? "";
  for (const each of braces.split(",")) {
    const [own] = each.trim().split(/\s+as\s+/);
    if (own) names.add(own);
  }
  if (/^\w+/.test(clause)) names.add("default");
  if (clause.startsWith("*")) names.add("*");
}

function isVendored(name) {
  return vendored.some((each) => name === each || name.startsWith(`${each}/`));
}

/** A module of our own that hands on what is used: of a CommonJS library, too. */
function door(id) {
  if (!id.startsWith("\0door:")) return null;
  const name = id.slice("\0door:".length);
  const names = [...wanted.get(name)].toSorted((a, b) => a.localeCompare(b));
  const from = `from ${JSON.stringify(name)};`;
  return names.includes("*") ? `export * ${from}` : `export { ${names.join(", ")} } ${from}`;
}

function rewrite(file) {
  const text = readFileSync(file, "utf8");
  const next = text.replaceAll(/(\bfrom\s+|\bimport\()(["'])([^"']+)\2/g, (all, how, quote, name) => {
    if (!isVendored(name)) return all;
    const path = relative(dirname(file), join(dist, "vendor", `${slug(name)}.js`)).replaceAll("\\", "/");
    return `${how}${quote}${path.startsWith(".") ? path : `./${path}`}${quote}`;
  });
  if (next !== text) writeFileSync(file, next);
}

function slug(name) {
  return name.replace("@", "").replaceAll("/", "-");
}

/** The licences of all that went in: their terms ask for it. */
function notices(modules) {
  const folders = new Set(
    modules.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/")) ?? []),
  );
  const texts = [...folders]
    .toSorted((a, b) => a.localeCompare(b))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
      return `${name} ${version} (${license})\n${text}`;
    });
  mkdirSync(join(dist, "vendor"), { recursive: true });
  writeFileSync(join(dist, "vendor", "LICENSES.txt"), texts.join(`\n${"-".repeat(40)}\n\n`));
}
