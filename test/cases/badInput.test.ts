import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerConfig } from "../../src/index.js";
import { createSupervisor } from "../../src/index.js";
import { scripted, supervise, temporaryFolder } from "../support.js";

const good = scripted("good", "countsStarts.mjs");

describe("bad entries", () => {
  it.each<[string, object, RegExp]>([
    ["no command and no url", {}, /command|url/],
    ["an empty command", { command: "" }, /command/],
    ["a command that is no text", { command: 7 }, /command/],
    ["arguments that are no list", { command: "node", args: "x" }, /args/],
    ["an argument with NUL", { command: "node", args: ["a\0b"] }, /args/],
    ["an argument that is no text", { command: "node", args: ["a", 1] }, /args/],
    ["an env that is a list", { command: "node", env: [] }, /env/],
    ["an env value that is an object", { command: "node", env: { A: {} } }, /env\.A/],
    ["a url without a scheme", { url: "example.com/mcp" }, /url/],
    ["a url that is no text", { url: 7 }, /url/],
    ["a url of another scheme", { url: "ftp://example.com" }, /url/],
    ["plain http to another machine", { url: "http://example.com/mcp" }, /url/],
    ["credentials in the url", { url: "https://me:secret-pw@example.com/" }, /url/],
    ["command and url", { command: "node", url: "https://example.com" }, /command|url/],
    ["an unknown transport", { transport: "carrier-pigeon", command: "node" }, /transport/],
    ["an unknown version", { command: "node", protocolVersion: "1999-01-01" }, /protocolVersion/],
    ["an unknown restart rule", { command: "node", restart: "always" }, /restart/],
    ["a limit of zero", { command: "node", limits: { inFlight: 0 } }, /limits\.inFlight/],
    ["a limit that is text", { command: "node", limits: { depth: "9" } }, /limits\.depth/],
  ])("with %s are named with their field, and leave the others untouched", async (_what, fields, path) => {
    const supervisor = supervise([{ id: "bad", ...fields }, good]);
    const report = await supervisor.ready({ timeout: "30s" });

    const errors = supervisor.problems().filter((problem) => problem.severity === "error");
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ server: "bad" });
    expect(`${errors[0]!.path} ${errors[0]!.message}`).toMatch(path);
    expect(JSON.stringify(errors)).not.toContain("secret-pw");
    expect(report.ok).toBe(false);
    expect(supervisor.server("bad")?.status().pids ?? []).toEqual([]);
    expect(supervisor.server("good")!.status()).toMatchObject({ state: "ready", generation: 1 });
    expect(await supervisor.callTool("mcp_good_pid")).toMatchObject({ ok: true });
  });

  it("with an unknown field are started, and the field is named", async () => {
    const supervisor = supervise([{ ...good, tymeout: 5 } as ServerConfig]);
    await supervisor.ready({ timeout: "30s" });
    expect(supervisor.problems()).toEqual([
      expect.objectContaining({
        severity: "warning",
        server: "good",
        path: expect.stringContaining("tymeout"),
      }),
    ]);
    expect(supervisor.server("good")!.status().state).toBe("ready");
  });

  it("that are no entries at all make no host fall over", () => {
    const list = [
      null,
      7,
      "x",
      [],
      { id: 5 },
      { id: "" },
      { id: "UPPER" },
      { id: "__proto__", command: "node" },
    ];
    const supervisor = createSupervisor({
      servers: list as unknown as ServerConfig[],
      home: temporaryFolder(),
    });
    expect(supervisor.problems().length).toBeGreaterThanOrEqual(6);
    expect(({} as Record<string, unknown>)["command"]).toBeUndefined();
  });
});

describe("bad files", () => {
  it("are told with file, line and column, beside files that are good", async () => {
    const folder = temporaryFolder();
    const broken = join(folder, "broken.json");
    const fine = join(folder, "fine.json");
    writeFileSync(broken, '{\n  "mcpServers": {\n    "a": { "command": node }\n  }\n}\n');
    const { command, args } = good;
    writeFileSync(
      fine,
      `\ufeff// mine\n${JSON.stringify({ mcpServers: { fine: { command, args }, bad: { command: 7 } } })}`,
    );
    const supervisor = supervise([], { configFiles: [broken, fine], watch: false });
    await supervisor.ready({ timeout: "30s" });

    const problems = supervisor.problems();
    expect(problems.find((each) => each.file === broken)).toMatchObject({
      severity: "error",
      line: 3,
      column: 23,
    });
    const bad = problems.find((each) => each.server === "bad");
    expect(bad).toMatchObject({ severity: "error", file: fine, line: 2 });
    expect(bad?.path).toContain("command");
    expect(supervisor.server("fine")!.status().state).toBe("ready");
  });

  it.each([
    ["", /./],
    ["[]", /./],
    ["null", /./],
    ['{"mcpServers": []}', /mcpServers/],
    ["[".repeat(50_000), /./],
  ])("of the shape %j are one problem", async (text, word) => {
    const file = join(temporaryFolder(), "odd.json");
    writeFileSync(file, text);
    const supervisor = supervise([good], { configFiles: [file], watch: false });
    await supervisor.ready({ timeout: "30s" });
    const problems = supervisor.problems().filter((each) => each.severity === "error");
    expect(problems).toHaveLength(1);
    expect(problems[0]!.file).toBe(file);
    expect(`${problems[0]!.path} ${problems[0]!.message}`).toMatch(word);
    expect(supervisor.server("good")!.status().state).toBe("ready");
  });

  it("that are missing are named", async () => {
    const file = join(temporaryFolder(), "absent.json");
    const supervisor = supervise([good], { configFiles: [file], watch: false });
    await supervisor.ready({ timeout: "30s" });
    expect(supervisor.problems()).toEqual([expect.objectContaining({ severity: "error", file })]);
    expect(supervisor.server("good")!.status().state).toBe("ready");
  });
});
