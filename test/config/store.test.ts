import { chmod, mkdir, readFile, readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerConfig, ServerPatch } from "../../src/config/entries/input.js";
import { enableEntry, removeEntryOf, saveEntry, showEntry } from "../../src/config/store/store.js";
import { ConfigError } from "../../src/errors.js";
import { put, temporaryFolder } from "./folder.js";

const surroundings = { node: "/usr/bin/node", platform: "linux", env: {} };

async function save(file: string, config: ServerConfig): Promise<string> {
  await saveEntry(file, config, { home: "/nowhere", surroundings });
  return readFile(file, "utf8");
}

const settings = `{
  // how it looks
  "theme": "dark",
  "mcp": {
    "servers": [
      // the first one
      {
        "id": "a",
        "command": "node", /* why not */
        "args": ["a.mjs"],
        "env": { "TOKEN": "\${TOKEN:-tok-123456}", "MODE": "x" }, // secrets
        "futureOption": { "x": 1 },
      },
      { "id": "b", "command": "b" },
    ],
  },
}
`;

describe("saveEntry", () => {
  it("changes what is new and keeps comments, unknown fields, order and every other entry", async () => {
    const file = await put(join(await temporaryFolder(), "settings.json"), settings);

    const text = await save(file, {
      id: "a",
      command: "node",
      args: ["a.mjs"],
      env: { TOKEN: "********", MODE: "y" },
      timeout: 30,
    });

    expect(text).toBe(
      settings
        .replace('"MODE": "x"', '"MODE": "y"')
        // The line before a new one is laid out anew.
        .replace('{ "x": 1 },', '{\n          "x": 1\n        },\n        "timeout": 30,'),
    );
  });

  it("removes known fields that are left out", async () => {
    const file = await put(join(await temporaryFolder(), "settings.json"), {
      mcp: { servers: [{ id: "a", command: "a", args: ["x"], timeout: 5, futureOption: 1 }] },
    });

    expect(JSON.parse(await save(file, { id: "a", command: "a" }))).toEqual({
      mcp: { servers: [{ id: "a", command: "a", futureOption: 1 }] },
    });
  });

  it("appends a new server, and makes file, folder and section when there are none", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "state", "settings.json");

    await save(file, { id: "a", command: "a" });
    const text = await save(file, {
      id: "b",
      url: "https://example.com/mcp",
      headers: { Authorization: "Bearer x" },
    });

    expect(JSON.parse(text)).toEqual({
      mcp: {
        servers: [
          { id: "a", command: "a" },
          { id: "b", url: "https://example.com/mcp", headers: { Authorization: "Bearer x" } },
        ],
      },
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "state"))).mode & 0o777).toBe(0o700);
  });

  it("speaks the language of mcpServers files", async () => {
    const file = await put(join(await temporaryFolder(), "mcp.json"), {
      mcpServers: {
        "My Server": {
          type: "streamable-http",
          serverUrl: "https://a.example/mcp",
          disabled: true,
          timeout: 5000,
        },
      },
    });
    await save(file, { id: "plain", command: "x", timeout: 30, enabled: false });

    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
      mcpServers: {
        "My Server": {
          type: "streamable-http",
          serverUrl: "https://a.example/mcp",
          disabled: true,
          timeout: 5000,
        },
        plain: { command: "x", timeout: "30s", enabled: false },
      },
    });
  });

  it("keeps the spelling that a stored entry has", async () => {
    const file = await put(join(await temporaryFolder(), "mcp.json"), {
      mcpServers: { web: { type: "http", serverUrl: "https://a.example/mcp", disabled: true } },
    });

    const text = await save(file, {
      id: "web",
      transport: "http",
      url: "https://b.example/mcp",
      enabled: true,
    });

    expect(JSON.parse(text)).toEqual({
      mcpServers: { web: { type: "http", serverUrl: "https://b.example/mcp", disabled: false } },
    });
  });

  it("shows an entry without its values, and saving what it showed changes nothing", async () => {
    const text = JSON.stringify(
      {
        mcp: {
          servers: [
            { id: "a", command: "a", args: ["--key=secret-123"], env: { K: "secret-123", L: "${L:-x}" } },
            { id: "b", url: "https://example.com/mcp?key=abcdef&v=1", headers: { A: "Bearer secret-456" } },
          ],
        },
      },
      undefined,
      2,
    );
    const file = await put(join(await temporaryFolder(), "settings.json"), text);

    const [a, b] = [await showEntry(file, "a"), await showEntry(file, "b")];
    await save(file, a as unknown as ServerConfig);

    expect(a).toEqual({
      id: "a",
      command: "a",
      args: ["--key=********"],
      env: { K: "********", L: "********" },
    });
    expect(b).toEqual({
      id: "b",
      url: "https://example.com/mcp?key=********&v=********",
      headers: { A: "********" },
    });
    expect(await save(file, b as unknown as ServerConfig)).toBe(text);
  });

  it.each<[ServerConfig, RegExp]>([
    [{ id: "a", command: "x", env: { NEW: "********" } }, /env\.NEW is \*{8}, and there is no stored value/],
    [{ id: "a", command: "x", args: ["--k=********"] }, /args\.0 is \*{8}/],
    [{ id: "new", url: "https://example.com/?k=********" }, /url is \*{8}/],
    [{ id: "a" }, /command is missing/],
    [{ id: "a", command: "x", env: { K: "${NOPE}" } }, /env\.K the variable NOPE is not set/],
    [{ id: "Not An Id", command: "x" }, /id must be 1 to 32 characters/],
    [{ id: "a", command: "x", timeout: 700 }, /timeout must be at most 600 s/],
  ])("refuses %j and writes nothing", async (config, reason) => {
    const file = await put(join(await temporaryFolder(), "settings.json"), settings);

    await expect(save(file, config)).rejects.toThrow(reason);
    expect(await readFile(file, "utf8")).toBe(settings);
  });

  it("never writes over a broken file, nor over one that others may write", async () => {
    const folder = await temporaryFolder();
    const broken = await put(join(folder, "broken.json"), '{ "mcp": {');
    const open = await put(join(folder, "open.json"), "{}");
    await chmod(open, 0o666);

    await expect(save(broken, { id: "a", command: "a" })).rejects.toThrow(/broken/);
    await expect(save(open, { id: "a", command: "a" })).rejects.toThrow(ConfigError);
    expect(await readFile(broken, "utf8")).toBe('{ "mcp": {');
    expect(await readFile(open, "utf8")).toBe("{}");
  });

  it("loses nothing when many save at the same time", async () => {
    const file = join(await temporaryFolder(), "settings.json");
    const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);

    await Promise.all(ids.map((id) => save(file, { id, command: id })));

    const { mcp } = JSON.parse(await readFile(file, "utf8")) as { mcp: { servers: { id: string }[] } };
    expect(mcp.servers.map((each) => each.id)).toEqual(ids);
  });

  it("writes through a symbolic link, keeps a byte order mark, and leaves no temporary file", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "real"));
    await put(join(folder, "real", "mcp.json"), '\uFEFF{"mcpServers": {}}');
    await symlink(join(folder, "real", "mcp.json"), join(folder, "mcp.json"));

    const text = await save(join(folder, "mcp.json"), { id: "a", command: "a" });

    expect(text.startsWith("\uFEFF{")).toBe(true);
    expect(await readdir(folder)).toEqual(["mcp.json", "real"]);
    expect(await readdir(join(folder, "real"))).toEqual(["mcp.json"]);
  });

  it("leaves a project's file as readable as it was and makes ours private", async () => {
    const folder = await temporaryFolder();
    const [project, mine] = [
      await put(join(folder, ".mcp.json"), "{}"),
      await put(join(folder, "mcp.json"), "{}"),
    ];
    await chmod(project, 0o644);
    await chmod(mine, 0o644);

    await save(project, { id: "a", command: "a" });
    await save(mine, { id: "a", command: "a" });

    expect((await stat(project)).mode & 0o777).toBe(0o644);
    expect((await stat(mine)).mode & 0o777).toBe(0o600);
  });
});

describe("removing and switching", () => {
  it("removes one entry and keeps the rest as it stands", async () => {
    const file = await put(join(await temporaryFolder(), "settings.json"), settings);

    expect(await removeEntryOf(file, "b")).toBe(true);
    expect(await removeEntryOf(file, "b")).toBe(false);

    const text = await readFile(file, "utf8");
    expect(text).toContain("// the first one");
    expect(text).not.toContain('"id": "b"');
  });

  it("switches in the words of the file", async () => {
    const folder = await temporaryFolder();
    const file = await put(join(folder, "mcp.json"), {
      mcpServers: { a: { command: "a", disabled: true }, b: { command: "b" } },
    });

    expect(await enableEntry(file, "a", true)).toBe(true);
    expect(await enableEntry(file, "b", false)).toBe(true);
    expect(await enableEntry(file, "c", false)).toBe(false);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      mcpServers: { a: { command: "a", disabled: false }, b: { command: "b", enabled: false } },
    });
  });

  it("writes a server that ships with us into settings.json when it is switched on first", async () => {
    const file = join(await temporaryFolder(), "settings.json");

    expect(await enableEntry(file, "gmail", true)).toBe(true);
    expect(await enableEntry(file, "gmail", false)).toBe(true);

    const { mcp } = JSON.parse(await readFile(file, "utf8")) as { mcp: { servers: object[] } };
    expect(mcp.servers).toMatchObject([{ id: "gmail", command: "${node}", enabled: false }]);
  });
});

async function merge(file: string, patch: ServerPatch): Promise<unknown> {
  await saveEntry(file, patch, { home: "/nowhere", surroundings }, { merge: true });
  return JSON.parse((await readFile(file, "utf8")).replaceAll(/\/\/.*|\/\*.*?\*\//g, ""));
}

describe("saveEntry with merge", () => {
  const stored = {
    id: "a",
    command: "node",
    args: ["a.mjs", "--token=s3cret-value"],
    env: { TOKEN: "tok-1", MODE: "x" },
    timeout: 5,
    futureOption: { x: 1 },
  };
  const fileOf = async (): Promise<string> =>
    put(join(await temporaryFolder(), "settings.json"), { mcp: { servers: [stored] } });

  it.each([
    [{ enabled: false }, { ...stored, enabled: false }],
    [{ timeout: 9 }, { ...stored, timeout: 9 }],
    [{ env: { MODE: "y" } }, { ...stored, env: { TOKEN: "tok-1", MODE: "y" } }],
    [{ env: { TOKEN: "********", NEW: "1" } }, { ...stored, env: { ...stored.env, NEW: "1" } }],
    [{ args: ["b.mjs"] }, { ...stored, args: ["b.mjs"] }],
  ])("changes %j and nothing else", async (patch, expected) => {
    expect(await merge(await fileOf(), { id: "a", ...patch })).toEqual({ mcp: { servers: [expected] } });
  });

  it("takes a field away with null", async () => {
    const { timeout: _, ...rest } = stored;
    expect(await merge(await fileOf(), { id: "a", timeout: null })).toEqual({ mcp: { servers: [rest] } });
  });

  it("hands no stored secret to another command", async () => {
    const file = await fileOf();
    await expect(merge(file, { id: "a", command: "evil" })).rejects.toThrow("no stored value to keep");
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ mcp: { servers: [stored] } });
  });

  it("knows the servers that ship with mcpvisor, and writes no path of the install", async () => {
    const file = join(await temporaryFolder(), "settings.json");
    const written = (await merge(file, { id: "gmail", enabled: true })) as { mcp: { servers: unknown[] } };
    expect(written.mcp.servers).toMatchObject([
      {
        id: "gmail",
        command: "${node}",
        args: ["${mcpvisor}/builtin/gmail/main.js", "--home", "${home}"],
        enabled: true,
      },
    ]);
  });

  it("refuses a new server that is only some fields", async () => {
    const file = join(await temporaryFolder(), "settings.json");
    await expect(merge(file, { id: "new", enabled: true })).rejects.toThrow(ConfigError);
  });
});
