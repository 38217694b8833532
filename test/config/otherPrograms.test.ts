import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/dialects/parse.js";
import { serverFields } from "../../src/config/entries/serverFields.js";
import { importConfig } from "../../src/config/import/import.js";

const values = { node: "node", python: "python3", env: { HOME: "/home/ann", SET: "value-of-set" } };

function parsed(servers: Record<string, unknown>) {
  const { entries, problems } = parseConfig(JSON.stringify({ mcpServers: servers }), {
    ...values,
    file: "/home/ann/mcp.json",
  });
  const targets = Object.fromEntries(entries.map(({ spec, name }) => [name, spec]));
  const told = problems.map(({ server, severity, path, message, hint }) =>
    [severity, server, path, message, hint].filter(Boolean).join(" | "),
  );
  return { targets, told };
}

async function imported(file: string, content: unknown) {
  const { host, servers, notes } = await importConfig(JSON.stringify(content), { file });
  return { host, notes, by: Object.fromEntries(servers.map((each) => [each.name, each])) };
}

describe("files that other programs write", () => {
  it.each([
    ["command", { command: "~/bin/server" }, { command: "/home/ann/bin/server" }],
    [
      "args",
      { command: "node", args: ["~/s.mjs", "~", "--file=~/x", "a~b"] },
      { args: ["/home/ann/s.mjs", "/home/ann", "--file=~/x", "a~b"] },
    ],
    ["cwd", { command: "node", cwd: "~/work" }, { cwd: "/home/ann/work" }],
    ["tls", { url: "https://x.example", tls: { ca: "~/ca.pem" } }, { tls: { ca: "/home/ann/ca.pem" } }],
  ])("say ~ for the home folder: %s", (_, entry, target) => {
    expect(parsed({ x: entry }).targets["x"]?.target).toMatchObject(target);
  });

  it("leave a text of env and a ~ of another user alone", () => {
    const { targets } = parsed({ x: { command: "node", args: ["~bob/s.mjs"], env: { A: "~/x" } } });
    expect(targets["x"]?.target).toMatchObject({ args: ["~bob/s.mjs"], env: { A: "~/x" } });
  });

  const named = serverFields.filter((field) => field !== "id" && field !== "command");

  it.each([...named, "type", "disabled"])("write null for nothing: %s", (field) => {
    const { targets, told } = parsed({ x: { command: "node", [field]: null } });
    expect(told).toEqual([]);
    expect(targets["x"]?.target).toMatchObject({ command: "node" });
  });

  it.each(named)("write null for nothing in settings.json, too: %s", (field) => {
    const text = JSON.stringify({ mcp: { servers: [{ id: "x", command: "node", [field]: null }] } });
    const { entries, problems } = parseConfig(text, { ...values, file: "/home/ann/settings.json" });
    expect(problems).toEqual([]);
    expect(entries[0]?.spec?.target).toMatchObject({ command: "node" });
  });

  it("list the tools to offer, and call stdio local (Copilot)", () => {
    const { targets, told } = parsed({
      all: { type: "local", command: "node", tools: ["*"] },
      some: { type: "stdio", command: "node", tools: ["echo", "pid"] },
    });
    expect(told).toEqual([]);
    expect(targets["all"]).toMatchObject({ target: { kind: "stdio" }, tools: {} });
    expect(targets["some"]).toMatchObject({ tools: { include: ["echo", "pid"] } });
  });

  it.each(["timeout", "connectTimeout", "idleTimeout", "maxLifetime"])(
    "count in seconds, which is told where ours are milliseconds: %s",
    (field) => {
      expect(parsed({ x: { command: "node", [field]: 60 } }).told).toEqual([
        expect.stringMatching(/^warning .* counts in milliseconds: 60 ms \| write "60s" for seconds/),
      ]);
      expect(parsed({ x: { command: "node", [field]: 1000 } }).told).toEqual([]);
      expect(parsed({ x: { command: "node", [field]: "60ms" } }).told).toEqual([]);
    },
  );

  it.each([
    ["httpUrl ", "httpUrl"],
    ["serverURL", "serverUrl"],
    ["alwaysAlow", "alwaysAllow"],
    ["comand", "command"],
  ])("hold slips of the pen, told in the spelling of that program: %j", (field, meant) => {
    expect(parsed({ x: { command: "node", [field]: "x" } }).told.join()).toContain(
      `did you mean "${meant}"?`,
    );
  });
});

describe("taking over files of other programs", () => {
  it("reads Cline's and Roo's: seconds, lists of tools, approvals by name", async () => {
    for (const [file, more] of [
      ["/x/cline_mcp_settings.json", {}],
      ["/x/mcp_settings.json", {}],
      ["/x/other.json", { alwaysAllow: ["a"] }],
    ] as const) {
      const { host, by } = await imported(file, {
        mcpServers: {
          a: { command: "node", timeout: 60, disabledTools: ["b"], watchPaths: ["/x"], ...more },
        },
      });
      expect(host).toBe("cline");
      expect(by["a"]?.entry).toMatchObject({ timeout: "60s", tools: { exclude: ["b"] } });
      expect(by["a"]?.notes.join()).toContain("watchPaths");
    }
  });

  it("tells a time in milliseconds that looks like seconds", async () => {
    const { by } = await imported("/x/mcp.json", { mcpServers: { a: { command: "node", timeout: 60 } } });
    expect(by["a"]).toMatchObject({
      entry: { timeout: "60ms" },
      notes: [expect.stringContaining("milliseconds")],
    });
  });

  it("keeps Copilot's list of tools as narrow as it was", async () => {
    const { by } = await imported("/x/mcp-config.json", {
      mcpServers: {
        all: { command: "node", tools: ["*"] },
        some: { type: "local", command: "node", tools: ["echo"] },
      },
    });
    expect(by["all"]?.entry).not.toHaveProperty("tools");
    expect(by["some"]).toMatchObject({ entry: { tools: { include: ["echo"] } }, notes: [] });
  });

  it("names the servers of Claude Code's projects, with their folder", async () => {
    const { notes } = await imported("/x/.claude.json", {
      mcpServers: {},
      projects: {
        "/home/ann/work": { mcpServers: { db: { command: "node" }, tickets: {} } },
        "/home/ann/none": {},
      },
    });
    expect(notes).toEqual([expect.stringContaining('project /home/ann/work: left out "db", "tickets"')]);
  });

  it("never makes a literal text of opencode's {file:…}", async () => {
    const { by } = await imported("/x/opencode.json", {
      mcp: { a: { type: "local", command: ["node"], environment: { KEY: "{file:./token.txt}" } } },
    });
    expect(by["a"]).toMatchObject({
      entry: { env: { KEY: "${TOKEN_TXT}" } },
      notes: [expect.stringContaining("set the variable TOKEN_TXT")],
    });
  });
});
