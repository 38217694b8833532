import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approvalHash } from "../../src/config/entries/approval.js";
import { mergeEntries } from "../../src/config/merge.js";
import type { serverFields } from "../../src/config/entries/serverFields.js";
import { parseConfig } from "../../src/config/dialects/parse.js";
import type { ConfigEntry } from "../../src/config/dialects/parse.js";
import { loadFleet } from "../../src/config/fleet.js";
import { saveApproval } from "../../src/config/store/records.js";
import { defaultLimits } from "../../src/spec.js";
import type { HttpTarget, Limits, StdioTarget } from "../../src/spec.js";
import { temporaryFolder } from "../support.js";

type Field = (typeof serverFields)[number];
type Values = readonly unknown[];

/** Every field of an entry with values that differ; a new field has to be judged here to compile. */
const stdio: Record<Exclude<Field, "id" | "url" | "headers" | "proxy" | "tls" | "oauth">, Values> = {
  name: ["a", "b"],
  transport: ["stdio", undefined],
  command: ["node", "python3"],
  args: [["a"], ["b"], ["a", "b"], []],
  env: [{ A: "1" }, { A: "2" }, { B: "1" }, { A: "${X}" }, { NODE_OPTIONS: "--x" }, undefined],
  cwd: ["/tmp", "/usr", undefined],
  enabled: [true, undefined],
  auto_approve: [["a"], ["b"]],
  timeout: [1000, 2000],
  maxTimeout: [1000, 2000],
  connectTimeout: [1000, 2000],
  trusted: [true, false],
  restart: ["lazy", "eager"],
  lazy: [true, false],
  sharing: ["auto", "shared", "consumer"],
  required: [true, false],
  idleTimeout: [1000, 2000],
  maxLifetime: [1000, 2000],
  retry: ["never", "safe"],
  inherit: ["safe", "all", "minimal"],
  pass: [["A"], ["B"], undefined],
  tools: [{ exclude: ["a"] }, { exclude: ["b"] }],
  limits: Object.keys(defaultLimits).flatMap((name) => [{ [name]: 5 }, { [name]: 6 }]),
  protocolVersion: ["2025-06-18", "2025-03-26", "auto"],
  coerce: [true, false],
  outputSchema: ["warn", "off"],
  health: [1000, 2000],
  chaos: [true, false],
  shutdown: [{ eof: 1 }, { eof: 2 }],
};
const http: Partial<Record<Field, Values>> = {
  transport: ["http", "sse"],
  url: ["https://a.example/mcp", "https://b.example/mcp", "https://a.example/${X}"],
  headers: [{ A: "1" }, { A: "2" }, { B: "1" }, { A: "${X}" }],
  proxy: ["http://a.example:1", "http://b.example:1", false, undefined],
  tls: [{ ca: "/a.pem" }, { ca: "/b.pem" }, { cert: "/c.pem", key: "/k.pem" }, undefined],
  oauth: [{ scopes: ["a"] }, { scopes: ["b"] }, { scopes: [] }, false, undefined],
};

/** The parts of a fingerprint; a new one has to be given a field of the file to compile. */
const parts: Record<
  keyof StdioTarget | Exclude<keyof HttpTarget, "kind"> | keyof Limits,
  Field | "approval" | "content"
> = {
  kind: "transport",
  command: "command",
  args: "args",
  env: "env",
  cwd: "cwd",
  inherit: "inherit",
  pass: "pass",
  approvedEnv: "approval",
  files: "content",
  url: "url",
  headers: "headers",
  proxy: "proxy",
  tls: "tls",
  oauth: "oauth",
  ...(Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, "limits"])) as Record<
    keyof Limits,
    "limits"
  >),
};

function entryOf(fields: object): ConfigEntry {
  const text = JSON.stringify({ mcpServers: { x: fields } });
  const context = { file: "/project/.mcp.json", scope: "project", node: "node", python: "python3" } as const;
  const [entry] = parseConfig(text, { ...context, env: { X: "filled-in" } }).entries;
  expect(entry?.problems.filter((each) => each.severity === "error")).toEqual([]);
  return entry!;
}

/** The fingerprint it runs with once it is approved. */
function fingerprintOf(entry: ConfigEntry): string {
  const record = { ...entry, hash: approvalHash(entry.subject), env: [], at: 0 };
  return mergeEntries([entry], [record]).specs[0]!.fingerprint;
}

function hash(fields: object): string {
  return approvalHash(entryOf({ command: "node", ...fields }).subject);
}

describe("what is approved of a project entry", () => {
  it.each([
    ["stdio", { command: "node" }, stdio],
    ["http", { url: "https://a.example/mcp", type: "http" }, http],
  ])("changes with every field that its fingerprint is made of (%s)", (_, base, table) => {
    for (const [field, values] of Object.entries(table)) {
      const entries = values.map((value) => {
        const given = { ...base, [field === "transport" ? "type" : field]: value };
        return entryOf(JSON.parse(JSON.stringify(given)) as object);
      });
      for (const one of entries) {
        for (const other of entries) {
          if (fingerprintOf(one) === fingerprintOf(other)) continue;
          expect([field, approvalHash(one.subject)]).not.toEqual([field, approvalHash(other.subject)]);
        }
      }
    }
  });

  it("has a field of the file for every part of a fingerprint", () => {
    const known = new Set<string>([...Object.keys(stdio), ...Object.keys(http), "approval", "content"]);

    expect(Object.values(parts).filter((field) => !known.has(field))).toEqual([]);
  });

  it("does not change with the order of keys, times and other settings of calls", () => {
    expect(hash({ env: { A: "1", B: "2" }, args: ["x"] })).toBe(
      hash({ args: ["x"], env: { B: "2", A: "1" } }),
    );
    expect(hash({ timeout: 1, auto_approve: ["x"] })).toBe(hash({ timeout: 2 }));
  });

  it("holds for the content of the project's files that it runs, and names the one that changed", async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    mkdirSync(join(workspace, "tools"));
    writeFileSync(join(workspace, "tools/run.mjs"), "1");
    writeFileSync(join(workspace, "hook.cjs"), "1");
    writeFileSync(join(workspace, "unused.mjs"), "1");
    const entry = {
      command: "${node}",
      args: ["tools/run.mjs", "--config=${repo}/none.json"],
      env: { NODE_OPTIONS: "--require ./hook.cjs" },
    };
    writeFileSync(join(workspace, ".mcp.json"), JSON.stringify({ mcpServers: { x: entry } }));
    const load = () => loadFleet({ discover: true, home, workspace });
    const [first] = (await load()).waiting;
    await saveApproval(home, first!, { at: 1 });
    expect((await load()).waiting).toEqual([]);
    expect(first?.text).toMatch(/runs the project's file: tools\/run.mjs as it is now \(sha256 /);

    writeFileSync(join(workspace, "unused.mjs"), "2");
    expect((await load()).waiting).toEqual([]);
    writeFileSync(join(workspace, "tools/run.mjs"), "2");
    const [changed] = (await load()).waiting;

    expect(changed).toMatchObject({ changed: true, difference: [{ field: "files" }] });
    expect(changed?.difference[0]?.after).toMatch(/^hook.cjs \(sha256 \w+\) tools\/run.mjs \(sha256 \w+\)$/);
    await saveApproval(home, changed!, { at: 2 });
    const before = (await load()).specs.find((each) => each.id === "x");
    writeFileSync(join(workspace, "hook.cjs"), "2");
    expect((await load()).waiting).toHaveLength(1);
    expect(before?.held).toBeUndefined();
  });

  it("says whose place it takes", async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    writeFileSync(join(home, "mcp.json"), JSON.stringify({ mcpServers: { files: { command: "x" } } }));
    const project = { files: { command: "y" }, gmail: { command: "z" }, other: { command: "w" } };
    writeFileSync(join(workspace, ".mcp.json"), JSON.stringify({ mcpServers: project }));

    const { waiting } = await loadFleet({ discover: true, home, workspace });

    expect(waiting.map((each) => [each.id, each.hides])).toEqual([
      ["files", join(home, "mcp.json")],
      ["gmail", "builtin"],
      ["other", undefined],
    ]);
  });
});
