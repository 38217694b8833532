import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { check } from "../../src/cli/commands/check.js";
import { fakeContext } from "./support/fakeContext.js";
import { fakeSupervisor } from "./support/fakeSupervisor.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpvisor-test-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(text: string): Promise<string> {
  const path = join(folder, "mcp.json");
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

describe("mcpvisor check", () => {
  it("explains what would start, and hides the values of the environment", async () => {
    const path = await file(
      '{"mcpServers": {"good": {"command": "node", "args": ["x.js"], "env": {"TOKEN": "a-secret-value"}}}}',
    );
    const { context, stdout, stderr } = fakeContext(fakeSupervisor({}).supervisor);

    expect(await check(context, { home: folder }, [path])).toBe(0);
    expect(await check(context, { home: folder, json: true }, [path])).toBe(0);

    expect(stdout.text).toMatch(/^SERVER {2}STARTS {2}TRUSTED {2}FROM +RUNS\ngood +yes +yes .* node x\.js\n/);
    expect(stdout.text).not.toContain("a-secret-value");
    expect(stderr.text).toContain(`1 server, 0 errors, 0 warnings in ${path}`);
  });

  it("tells every mistake with its place, keeps the other servers, and ends with 2", async () => {
    const path = await file(`{
  "mcpServers": {
    "good": {"command": "node"},
    "bad": {"command": 7}
  }
}`);
    const { context, stdout, stderr } = fakeContext(fakeSupervisor({}).supervisor);

    expect(await check(context, { home: folder, json: true }, [path])).toBe(2);

    expect(JSON.parse(stdout.text)).toMatchObject({
      ok: false,
      servers: [{ id: "good" }, { id: "bad", held: { kind: "config-invalid" } }],
      problems: [{ severity: "error", path: "mcpServers.bad.command", line: 4, column: 13 }],
    });
    expect(await check(context, { home: folder }, [path])).toBe(2);
    expect(stderr.text).toContain(`${path}:4:13: error: mcpServers.bad.command must be a text, not a number`);
  });

  it("names a file that is not there", async () => {
    const { context, stderr } = fakeContext(fakeSupervisor({}).supervisor);

    expect(await check(context, { home: folder }, [join(folder, "none.json")])).toBe(2);

    expect(stderr.text).toContain(`${join(folder, "none.json")}: error: there is no such file`);
  });
});
