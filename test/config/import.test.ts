import { describe, expect, it } from "vitest";
import { importConfig } from "../../src/config/import/import.js";
import { parseConfig } from "../../src/config/dialects/parse.js";

async function imported(file: string, content: unknown) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const { host, servers, notes } = await importConfig(text, { file });
  const entries = Object.fromEntries(servers.map((each) => [each.name, each.entry]));
  return {
    host,
    entries,
    notes: [...notes, ...servers.flatMap((each) => each.notes.map((note) => `${each.name} ${note}`))],
  };
}

describe("importConfig", () => {
  it("reads Claude", async () => {
    expect(
      await imported(".mcp.json", {
        mcpServers: {
          gh: {
            type: "http",
            url: "https://x.example/mcp",
            headers: { Authorization: "Bearer ${T}" },
            timeout: 60_000,
          },
          fs: { command: "npx", args: ["-y", "pkg", "$HOME"], env: { ROOT: "${ROOT:-.}" }, alwaysLoad: true },
        },
      }),
    ).toEqual({
      host: "claude",
      entries: {
        gh: {
          type: "http",
          timeout: "60000ms",
          url: "https://x.example/mcp",
          headers: { Authorization: "Bearer ${T}" },
        },
        fs: { command: "npx", args: ["-y", "pkg", "$$HOME"], env: { ROOT: "${ROOT:-.}" } },
      },
      notes: [],
    });
  });

  it("reads VS Code", async () => {
    const { host, entries, notes } = await imported(
      ".vscode/mcp.json",
      `{ "inputs": [{ "type": "promptString", "id": "api-key" }], // asked
         "servers": { "fs": { "type": "stdio", "command": "node", "args": ["s.js"], "cwd": "\${workspaceFolder}",
           "envFile": ".env", "env": { "K": "\${input:api-key}", "N": 1, "U": null, "H": "\${env:HOST}" },
           "dev": { "watch": "src/**" }, "sandboxEnabled": true } } }`,
    );

    expect({ host, entries }).toEqual({
      host: "vscode",
      entries: {
        fs: {
          command: "node",
          args: ["s.js"],
          cwd: "${workspace}",
          env: { K: "${API_KEY}", N: 1, H: "${HOST:-}" },
        },
      },
    });
    expect(notes.map((each) => each.split(":")[0])).toEqual([
      "inputs",
      "fs sandboxEnabled",
      "fs dev",
      "fs env.U",
      "fs envFile",
      "fs ${input",
    ]);
  });

  it("reads Cursor and Windsurf", async () => {
    expect(
      await imported("/home/me/.cursor/mcp.json", {
        mcpServers: { a: { command: "x", args: ["${workspaceFolder}${/}a", "${userHome}", "$5"] } },
      }),
    ).toMatchObject({
      host: "cursor",
      entries: { a: { args: ["${workspace}/a", "${env:HOME}", "$$5"] } },
      notes: [],
    });
    expect(
      await imported("mcp_config.json", {
        mcpServers: { a: { serverUrl: "https://x.example/${env:ID}", disabled: true, disabledTools: ["w"] } },
      }),
    ).toEqual({
      host: "windsurf",
      entries: { a: { tools: { exclude: ["w"] }, url: "https://x.example/${ID:-}", enabled: false } },
      notes: [],
    });
  });

  it("reads Gemini, where a bare url means SSE and trust is not carried over", async () => {
    expect(
      await imported("settings.json", {
        mcpServers: {
          a: {
            httpUrl: "https://x.example/mcp",
            timeout: 30_000,
            trust: true,
            includeTools: ["q"],
            excludeTools: ["r"],
          },
          b: { url: "https://x.example/sse", headers: { K: "$KEY" } },
        },
      }),
    ).toEqual({
      host: "gemini",
      entries: {
        a: { timeout: "30000ms", tools: { include: ["q"], exclude: ["r"] }, url: "https://x.example/mcp" },
        b: { type: "sse", url: "https://x.example/sse", headers: { K: "${KEY:-}" } },
      },
      notes: [
        "a trust: approvals are not carried over; list tools in auto_approve to run them without asking",
      ],
    });
  });

  it("reads Codex", async () => {
    expect(
      await imported(
        "config.toml",
        `model = "x"
[mcp_servers.a]
command = "npx"
args = ["-y", "pkg", "$plain"]
env_vars = ["HOME", { name = "TOKEN", source = "local" }]
startup_timeout_sec = 20.5
tool_timeout_sec = 60
enabled_tools = ["search"]
supports_parallel_tool_calls = true
[mcp_servers.b]
url = "https://x.example/mcp"
http_headers = { "X-Plain" = "$5" }
bearer_token_env_var = "X_TOKEN"
env_http_headers = { "X-Org" = "ORG_ID" }
`,
      ),
    ).toEqual({
      host: "codex",
      entries: {
        a: {
          connectTimeout: "20.5s",
          timeout: "60s",
          tools: { include: ["search"] },
          pass: ["HOME", "TOKEN"],
          command: "npx",
          args: ["-y", "pkg", "$$plain"],
        },
        b: {
          url: "https://x.example/mcp",
          headers: { "X-Plain": "$$5", "X-Org": "${ORG_ID}", Authorization: "Bearer ${X_TOKEN}" },
        },
      },
      notes: ["a supports_parallel_tool_calls: mcpvisor has no such option; left out"],
    });
  });

  it("reads Zed, also its older nested command", async () => {
    expect(
      await imported("settings.json", {
        theme: "x",
        context_servers: {
          a: { enabled: true, command: "x", args: [], env: {}, timeout: 60 },
          b: { command: { path: "y", args: ["1"], env: { A: "b" } } },
        },
      }),
    ).toEqual({
      host: "zed",
      entries: {
        a: { timeout: "60s", command: "x", args: [] },
        b: { command: "y", args: ["1"], env: { A: "b" } },
      },
      notes: [],
    });
  });

  it("reads both versions of opencode", async () => {
    const local = { type: "local", command: ["npx", "-y", "pkg"], environment: { K: "{env:KEY}" } };
    const entry = { env: { K: "${KEY:-}" }, command: "npx", args: ["-y", "pkg"] };

    expect(await imported("opencode.json", { mcp: { a: { ...local, enabled: false } } })).toEqual({
      host: "opencode",
      entries: { a: { ...entry, enabled: false } },
      notes: [],
    });
    expect(
      await imported("opencode.jsonc", {
        mcp: {
          servers: { a: local, b: { type: "remote", url: "https://x.example", oauth: false, timeout: 5000 } },
        },
      }),
    ).toMatchObject({
      host: "opencode",
      entries: { a: entry, b: { type: "http", connectTimeout: "5000ms", url: "https://x.example" } },
    });
  });

  it("reads Goose, and says which extensions are part of that program", async () => {
    expect(
      await imported(
        "config.yaml",
        `extensions:
  a: { enabled: true, type: stdio, name: a, cmd: npx, args: [-y, pkg], envs: {}, env_keys: [TOKEN], timeout: 300, available_tools: [] }
  b: { enabled: false, type: streamable_http, name: b, uri: "https://x.example/mcp", headers: {}, timeout: 300 }
  c: { enabled: true, type: builtin, name: c }
`,
      ),
    ).toEqual({
      host: "goose",
      entries: {
        a: { timeout: "300s", command: "npx", pass: ["TOKEN"], args: ["-y", "pkg"] },
        b: { timeout: "300s", url: "https://x.example/mcp", type: "http", headers: {}, enabled: false },
        c: undefined,
      },
      notes: [
        "a env_keys: kept in another program's keyring; set as variables: TOKEN",
        'c has the transport "builtin", which mcpvisor does not speak',
      ],
    });
  });

  it("gives entries that our own reader takes without a word", async () => {
    const { entries } = await imported("x.json", {
      mcpServers: {
        a: { command: "npx", args: ["-y", "pkg"], timeout: 60_000 },
        b: { type: "sse", url: "https://x.example" },
      },
    });

    const read = parseConfig(JSON.stringify({ mcpServers: entries }), {
      file: "/x",
      node: "n",
      python: "p",
      env: {},
    });

    expect(read.problems).toEqual([]);
    expect(read.entries.map((each) => [each.id, each.spec?.target.kind, each.spec?.callTimeoutMs])).toEqual([
      ["a", "stdio", 60_000],
      ["b", "sse", 300_000],
    ]);
  });

  it.each([
    ["x.json", "{", /x\.json:1:2: close brace expected/],
    ["x.json", "[]", /holds no MCP servers/],
    ["x.json", '{"theme": 1}', /holds no MCP servers/],
    ["x.toml", 'key = "secret-123', /x\.toml cannot be read/],
    ["x.yaml", "a: [secret-123", /x\.yaml cannot be read/],
  ])("refuses %s with %j, without quoting it", async (file, text, reason) => {
    const failure = importConfig(text, { file });

    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.not.toThrow(/secret-123/);
  });
});
