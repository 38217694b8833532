import { readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../src");

/**
 * Who may import whom (docs/architecture.md). `types` rooms may be seen as `import type` only; `room/file` opens a
 * single file.
 */
const rooms: Record<
  string,
  { sees: string[]; types?: string[]; packages?: string[]; node?: boolean | string[] }
> = {
  // single files at the top of src/
  errors: { sees: [] },
  events: { sees: ["errors"] },
  clock: { sees: [] },
  spec: { sees: [] },
  // files that several processes share
  keep: { sees: [], node: true, packages: ["@napi-rs/keyring"] },
  index: { sees: ["*"] },
  // what the chaos kit needs besides index
  inner: { sees: ["*"] },
  // what `mcpvisor doctor` needs besides index
  doctor: { sees: ["process", "policy"] },
  // pure
  config: {
    sees: ["errors", "events", "spec", "keep", "protocol", "policy", "tools", "builtin/presets"],
    types: ["clock"],
    packages: ["zod", "jsonc-parser", "smol-toml", "yaml"],
    node: ["config/files/load.ts", "config/store/store.ts", "config/files/watch.ts", "config/files/home.ts"],
  },
  protocol: { sees: ["errors"], packages: ["eventsource-parser"] },
  policy: { sees: ["errors", "events", "spec", "tools", "protocol"] },
  tools: { sees: ["errors", "events", "spec", "protocol"], packages: ["@cfworker/json-schema"] },
  // effects
  process: {
    sees: ["errors", "clock", "spec", "protocol"],
    packages: ["execa"],
    node: true,
  },
  transport: {
    sees: ["errors", "clock", "spec", "protocol", "process"],
    packages: ["undici", "eventsource-parser"],
    node: true,
  },
  rpc: { sees: ["errors", "clock", "spec", "protocol"], types: ["transport", "tools"] },
  // life
  machines: {
    sees: ["errors", "events", "spec", "policy"],
    types: ["protocol", "tools"],
    packages: ["xstate"],
  },
  actors: {
    sees: [
      "errors",
      "events",
      "clock",
      "spec",
      "config",
      "protocol",
      "policy",
      "tools",
      "process",
      "transport",
      "rpc",
    ],
    types: ["machines", "streams"],
    packages: ["xstate"],
    node: true,
  },
  streams: { sees: ["errors", "events", "clock"], packages: ["rxjs", "pino"] },
  supervisor: {
    sees: [
      "errors",
      "events",
      "clock",
      "spec",
      "config",
      "protocol",
      "policy",
      "tools",
      "process",
      "transport",
      "rpc",
      "machines",
      "actors",
      "streams",
      "keep",
      "builtin/presets",
    ],
    packages: ["xstate", "rxjs"],
    node: true,
  },
  // faces
  http: {
    sees: ["index", "keep"],
    packages: [
      "hono",
      "@hono/node-server",
      "@hono/zod-openapi",
      "prom-client",
      "@opentelemetry/api",
      "rxjs",
      "zod",
      "pino",
    ],
    node: true,
  },
  cli: {
    sees: ["index", "http", "testing", "builtin", "config/index", "doctor"],
    packages: ["commander", "picocolors", "pino", "rxjs"],
    node: true,
  },
  testing: { sees: ["index", "inner"], packages: ["rxjs", "undici", "fast-check"], node: true },
  builtin: {
    sees: ["keep"],
    packages: ["@modelcontextprotocol/server", "execa", "undici", "zod"],
    node: true,
  },
};

interface Import {
  from: string;
  what: string;
  typeOnly: boolean;
}

const files = walk(root).filter((file) => /\.tsx?$/.test(file) && !file.includes("/http/web/"));
const imports = files.flatMap(importsOf);

describe("the house", () => {
  it("lets each room import only what the table allows", () => {
    const wrong = imports.flatMap((each) => judge(each));

    expect(wrong).toEqual([]);
  });

  it("has no import cycles", () => {
    expect(cycles()).toEqual([]);
  });

  it("keeps every file under 250 lines, with a median near 60", () => {
    const lines = files.map((file) => ({
      file: short(file),
      lines: readFileSync(file, "utf8").split("\n").length - 1,
    }));

    expect(lines.filter((each) => each.lines > 250)).toEqual([]);
  });

  it("judges a forbidden import as forbidden", () => {
    expect(judge({ from: "policy/x.ts", what: "node:fs", typeOnly: false })).toHaveLength(1);
    expect(judge({ from: "http/x.ts", what: "../rpc/channel.js", typeOnly: false })).toHaveLength(1);
    expect(judge({ from: "machines/x.ts", what: "../tools/types.js", typeOnly: true })).toHaveLength(0);
  });
});

function judge({ from, what, typeOnly }: Import): string[] {
  const room = roomOf(from);
  const rule = rooms[room];
  if (rule === undefined) return [`${from}: unknown room ${room}`];
  if (what.startsWith(".")) {
    const target = short(resolve(root, dirname(from), what));
    const other = roomOf(target);
    const ok =
      other === room ||
      rule.sees.includes("*") ||
      rule.sees.includes(other) ||
      rule.sees.includes(target.replace(/\.js$/, "")) ||
      (typeOnly && rule.types?.includes(other));
    return ok ? [] : [`${from} must not import ${target}`];
  }
  const name = what.startsWith("node:") ? what.slice(5).split("/")[0]! : packageOf(what);
  if (what.startsWith("node:") || builtinModules.includes(name)) {
    const ok =
      typeOnly ||
      rule.node === true ||
      (Array.isArray(rule.node) && rule.node.some((prefix) => from.startsWith(prefix)));
    return ok ? [] : [`${from} must not import ${what}`];
  }
  // Types of rxjs are part of the public contract (Observable); they cost nothing at run time.
  const ok = (typeOnly && name === "rxjs") || rule.packages?.includes(name);
  return ok ? [] : [`${from} must not import ${what}`];
}

function cycles(): string[] {
  const graph = new Map<string, string[]>();
  for (const { from, what, typeOnly } of imports) {
    if (typeOnly || !what.startsWith(".")) continue;
    const target = short(resolve(root, dirname(from), what)).replace(/\.js$/, ".ts");
    graph.set(from, [...(graph.get(from) ?? []), target]);
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) {
      found.push([...path.slice(at), node].join(" -> "));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const found: Import[] = [];
  const statement = /^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']/gm;
  for (const match of text.matchAll(statement)) {
    found.push({ from: short(file), what: match[2]!, typeOnly: match[1] !== undefined });
  }
  for (const match of text.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g)) {
    found.push({ from: short(file), what: match[1]!, typeOnly: false });
  }
  return found;
}

function roomOf(path: string): string {
  return path.split("/")[0]!.replace(/\.[jt]sx?$/, "");
}

function packageOf(what: string): string {
  const parts = what.split("/");
  return what.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0]!;
}

function short(path: string): string {
  return relative(root, path);
}

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}
