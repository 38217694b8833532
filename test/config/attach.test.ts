import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, asyncProperty, constantFrom, dictionary, jsonValue, string } from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  attachHosts,
  attachTo,
  detachFrom,
  importConfig,
  projectFile,
  shapes,
  userFiles,
} from "../../src/config/index.js";
import type { AttachHost, Host, Way } from "../../src/config/index.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcpvisor-attach-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stdio: Way = { kind: "stdio", command: "/opt/a b/node", args: ["x.js", "serve", "--as", 'it"s'] };
const http: Way = { kind: "http", url: "http://127.0.0.1:4000/mcp", token: "canary-token" };

/** Whose reader of foreign files understands which host's file. */
const readers: Record<AttachHost, Host> = {
  "claude-code": "claude",
  "claude-desktop": "claude",
  cursor: "cursor",
  vscode: "vscode",
  codex: "codex",
  gemini: "gemini",
  opencode: "opencode",
  zed: "zed",
  windsurf: "windsurf",
};

/** A file as a person of that host may have it. */
const before: Record<AttachHost, string> = {
  "claude-code": '{\n  "numStartups": 12,\n  "mcpServers": { "mine": { "command": "npx" } }\n}\n',
  "claude-desktop": "{}",
  cursor: '{\r\n\t"mcpServers": {\r\n\t\t"mine": { "command": "npx" }\r\n\t}\r\n}\r\n',
  vscode: '{\n  // my servers\n  "servers": {},\n  "inputs": [],\n}\n',
  codex: '# mine\nmodel = "x"\n\n[mcp_servers.mine] # keep\ncommand = "npx"\n\n[profiles.a]\nb = 1\n',
  gemini: '{ "theme": "dark" }',
  opencode: '{ "$schema": "https://example.com/x.json", "mcp": {} }',
  zed: '// Zed settings\n{\n  "theme": "One",\n  "context_servers": {\n    "mine": { "command": "x" } // kept\n  },\n}\n',
  windsurf: '{"mcpServers":{}}',
};

const cases = attachHosts.flatMap((host) =>
  ([stdio, http] as const)
    .filter((way) => shapes[host].entry(way, {}) !== undefined)
    .map((way) => ({ host, way, kind: way.kind })),
);

describe("attaching to a host", () => {
  it.each(cases)("$host over $kind: what is written is what its reader reads", async ({ host, way }) => {
    for (const text of [undefined, before[host]]) {
      const file = fileFor(host, text);
      await attachTo(host, file, "us", way);

      const written = readFileSync(file, "utf8");
      const { servers } = await importConfig(written, { file, host: readers[host] });
      const us = servers.find(({ name }) => name === "us");
      expect(us?.entry).toMatchObject(
        way.kind === "stdio"
          ? { command: way.command, args: way.args }
          : { url: way.url, headers: { Authorization: `Bearer ${way.token}` } },
      );
      expect(servers.some(({ name }) => name === "mine")).toBe((text ?? "").includes("mine"));
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  it.each(cases)("$host over $kind: undone, each byte is as before", async ({ host, way }) => {
    for (const text of [undefined, before[host]]) {
      const file = fileFor(host, text);
      await attachTo(host, file, "us", way);
      await attachTo(host, file, "us", { ...way, ...(way.kind === "http" && { token: "second" }) });

      expect(await detachFrom(host, file, "us")).toEqual({ found: true, restored: true, way: way.kind });
      expect(textOf(file)).toBe(text);
      expect(readdirSync(folder).filter((name) => name.includes("before-mcpvisor"))).toEqual([]);
    }
  });

  it.each(attachHosts)("%s: comments and order of all else stay", async (host) => {
    const file = fileFor(host, before[host]);
    await attachTo(host, file, "us", stdio);
    const now = readFileSync(file, "utf8");

    for (const piece of before[host].match(
      /\/\/ [\w ]+|# \w+|"(?:theme|numStartups|inputs)"[^,}\n ]*|b = 1/g,
    ) ?? [])
      expect(now).toContain(piece);
  });

  it.each(attachHosts)(
    "%s: changes since stay when it is undone, and a former entry comes back",
    async (host) => {
      const shape = shapes[host];
      const file = fileFor(host, before[host]);
      await attachTo(host, file, "us", { ...stdio, command: "former" });
      rmSync(`${file}.before-mcpvisor`);
      const former = readFileSync(file, "utf8");
      await attachTo(host, file, "us", stdio);
      const since = shape.format === "toml" ? "later = 1\n" : "// later\n";
      writeFileSync(file, since + readFileSync(file, "utf8"));

      expect(await detachFrom(host, file, "us")).toMatchObject({ found: true, restored: false });
      const text = readFileSync(file, "utf8");
      expect(text.startsWith(since)).toBe(true);
      const { servers } = await importConfig(text, { file, host: readers[host] });
      expect(servers.find(({ name }) => name === "us")?.entry).toMatchObject({ command: "former" });
      expect(former).toContain("former");
    },
  );

  it("says what it would write, and writes nothing", async () => {
    const file = fileFor("cursor", before.cursor);
    const done = await attachTo("cursor", file, "us", stdio, { dryRun: true });

    expect(done).toMatchObject({ changed: true, entry: { command: stdio.command } });
    expect(readFileSync(file, "utf8")).toBe(before.cursor);
    expect(readdirSync(folder)).toEqual(["cursor.json"]);
  });

  it("keeps the mode of a file, and writes through a link", async () => {
    const target = join(folder, "real.json");
    writeFileSync(target, "{}", { mode: 0o640 });
    const file = join(folder, "link.json");
    symlinkSync(target, file);
    await attachTo("cursor", file, "us", stdio);

    expect(readFileSync(target, "utf8")).toContain('"us"');
    expect(statSync(target).mode & 0o777).toBe(0o640);
  });

  it("gives any JSON text back as it was", async () => {
    const value = jsonValue({ maxDepth: 3 });
    const style = constantFrom(undefined, 2, "\t");
    await assert(
      asyncProperty(dictionary(string(), value), style, async (root, indent) => {
        const { mcpServers: _own, ...rest } = root;
        const text = JSON.stringify(rest, undefined, indent);
        const file = fileFor("cursor", text);
        await attachTo("cursor", file, "us", stdio);
        expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
          mcpServers: { us: { command: stdio.command } },
        });
        await detachFrom("cursor", file, "us");
        expect(readFileSync(file, "utf8")).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});

describe("what cannot be attached", () => {
  it.each<[string, AttachHost, string, string]>([
    ["a syntax error", "cursor", '{ "mcpServers": { ', "cursor.json:1:"],
    ["a list", "cursor", "[]", "holds no object"],
    ["servers that are no map", "cursor", '{ "mcpServers": [] }', '"mcpServers" is no map of servers'],
    ["TOML with a syntax error", "codex", 'secret = "canary\n', "has a syntax error"],
    ["an inline table", "codex", 'mcp_servers = { us = { command = "x" } }\n', "cannot be changed safely"],
    ["dotted keys", "codex", 'mcp_servers.us.command = "x"\n', "cannot be changed safely"],
  ])("%s is refused, and stays as it is", async (_name, host, text, said) => {
    const file = fileFor(host, text);
    const failure = attachTo(host, file, "us", stdio);

    await expect(failure).rejects.toThrow(said);
    await expect(failure).rejects.not.toThrow(/canary/);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("a folder, and a link that leads nowhere", async () => {
    await expect(attachTo("cursor", folder, "us", stdio)).rejects.toThrow("is no file");
    const link = join(folder, "link.json");
    symlinkSync(join(folder, "gone.json"), link);
    await expect(attachTo("cursor", link, "us", stdio)).rejects.toThrow("which does not exist");
  });

  it("a host that starts commands only, over HTTP", async () => {
    await expect(attachTo("claude-desktop", fileFor("claude-desktop"), "us", http)).rejects.toThrow(
      "--stdio",
    );
  });

  it("nothing to undo is told as such", async () => {
    expect(await detachFrom("cursor", fileFor("cursor"), "us")).toEqual({ found: false });
    expect(await detachFrom("cursor", fileFor("cursor", before.cursor), "us")).toEqual({ found: false });
  });
});

describe("where hosts keep their servers", () => {
  const linux = { platform: "linux", userHome: "/home/a", env: {} } as const;
  const mac = { platform: "darwin", userHome: "/Users/a", env: {} } as const;
  const windows = { platform: "win32", userHome: "C:\\Users\\a", env: { APPDATA: "C:\\R" } } as const;

  it.each([
    [linux, "claude-desktop", "/home/a/.config/Claude/claude_desktop_config.json"],
    [mac, "claude-desktop", "/Users/a/Library/Application Support/Claude/claude_desktop_config.json"],
    [windows, "claude-desktop", "C:\\R\\Claude\\claude_desktop_config.json"],
    [linux, "claude-code", "/home/a/.claude.json"],
    [mac, "vscode", "/Users/a/Library/Application Support/Code/User/mcp.json"],
    [windows, "zed", "C:\\R\\Zed\\settings.json"],
    [mac, "zed", "/Users/a/.config/zed/settings.json"],
    [linux, "codex", "/home/a/.codex/config.toml"],
    [windows, "windsurf", "C:\\Users\\a\\.codeium\\windsurf\\mcp_config.json"],
  ] as const)("%o %s", (where, host, file) => {
    expect(userFiles(host, where)[0]).toBe(file);
  });

  it("follows the variables that move a host's folder", () => {
    const moved = {
      CODEX_HOME: "/c",
      CLAUDE_CONFIG_DIR: "/d",
      OPENCODE_CONFIG: "/e.json",
      XDG_CONFIG_HOME: "/x",
    };
    const files = attachHosts.map((host) => userFiles(host, { ...linux, env: moved })[0]);

    expect(files).toEqual(
      expect.arrayContaining(["/c/config.toml", "/d/.claude.json", "/e.json", "/x/zed/settings.json"]),
    );
  });

  it("has no file of a project for programs that have none", () => {
    expect(attachHosts.filter((host) => projectFile(host) === undefined)).toEqual([
      "claude-desktop",
      "windsurf",
    ]);
  });
});

it("is left out of what is taken over from other hosts: it would serve itself", async () => {
  const file = fileFor("cursor");
  const own: Way = { kind: "stdio", command: "/bin/node", args: ["/x/dist/cli/main.js", "serve", "--stdio"] };
  for (const way of [own, { ...own, command: "mcpvisor", args: ["serve", "--stdio"] }])
    await attachTo("cursor", file, "us", way);
  const { servers } = await importConfig(readFileSync(file, "utf8"), { file, host: "cursor" });

  expect(servers).toMatchObject([{ name: "us", notes: [expect.stringContaining("is mcpvisor itself")] }]);
});

function fileFor(host: AttachHost, text?: string): string {
  const file = join(folder, `${host}.${shapes[host].format}`);
  rmSync(file, { force: true });
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  return file;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
