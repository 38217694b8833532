import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { add, edit } from "../../src/cli/commands/edit.js";
import { fakeContext } from "./support/fakeContext.js";
import { fakeSupervisor } from "./support/fakeSupervisor.js";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "mcpvisor-test-"));
});

afterEach(() => rm(home, { recursive: true, force: true }));

describe("editing configuration from the command line", () => {
  it("adds a command to the settings file, private to its owner", async () => {
    const { context, stderr } = fakeContext(fakeSupervisor({}).supervisor);

    expect(await add(context, { home, env: ["TOKEN=a=secret"] }, "files", ["node", "x.js", "-v"])).toBe(0);

    const file = join(home, "settings.json");
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      mcp: {
        servers: [
          {
            id: "files",
            transport: "stdio",
            command: "node",
            args: ["x.js", "-v"],
            env: { TOKEN: "a=secret" },
          },
        ],
      },
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(stderr.text).toContain(`${file}: saved "files"`);
    expect(stderr.text).not.toContain("a=secret");
  });

  it("adds a URL with headers to an mcpServers file and keeps its comments", async () => {
    const config = join(home, "mcp.json");
    await writeFile(config, '{\n  // mine\n  "mcpServers": {}\n}\n', { mode: 0o600 });
    const { context } = fakeContext(fakeSupervisor({}).supervisor);

    await add(context, { home, config, header: ["X-Key: abc:def"] }, "docs", ["https://example.com/mcp"]);

    const text = await readFile(config, "utf8");
    expect(text).toContain("// mine");
    expect(text).toContain('"X-Key": "abc:def"');
    expect(text).toContain('"url": "https://example.com/mcp"');
  });

  it("shows an entry with its secrets hidden", async () => {
    const { context, stdout } = fakeContext(fakeSupervisor({}).supervisor);
    await add(context, { home, env: ["TOKEN=a-secret"] }, "files", ["node"]);

    expect(await edit(context, { home, json: true }, "show", "files")).toBe(0);

    expect(JSON.parse(stdout.text)).toMatchObject({ id: "files", env: { TOKEN: "********" } });
  });

  it("disables, enables and removes", async () => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);
    const stored = async () => JSON.parse(await readFile(join(home, "settings.json"), "utf8")) as unknown;
    await add(context, { home }, "files", ["node"]);

    await edit(context, { home }, "disable", "files");
    expect(await stored()).toMatchObject({ mcp: { servers: [{ id: "files", enabled: false }] } });
    await edit(context, { home }, "enable", "files");
    expect(await stored()).toMatchObject({ mcp: { servers: [{ id: "files", enabled: true }] } });
    await edit(context, { home }, "remove", "files");
    expect(await stored()).toEqual({ mcp: { servers: [] } });
  });

  it("names the file in which a server is missing", async () => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);

    await expect(edit(context, { home }, "remove", "nobody")).rejects.toThrow(
      `there is no server "nobody" in ${join(home, "settings.json")}`,
    );
  });

  it("refuses what does not fit together, without repeating values", async () => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);

    await expect(add(context, { home, env: ["s3cret"] }, "a", ["node"])).rejects.toThrow(
      '--env number 1 has no "=" after its name',
    );
    await expect(add(context, { home, env: ["A=b"] }, "a", ["https://x.example"])).rejects.toThrow(
      /use --header/,
    );
    await expect(add(context, { home }, "Not An Id", ["node"])).rejects.toThrow(/Not An Id/);
  });
});
