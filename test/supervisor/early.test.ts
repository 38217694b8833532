import { describe, expect, it } from "vitest";
import { ConfigError, createSupervisor } from "../../src/index.js";
import { fakeServer, fleetOf } from "../../src/testing/index.js";
import { scripted, servers, supervise, temporaryFolder } from "../support.js";

describe("a call before start", () => {
  it("starts the supervisor, and waits for the server that its name belongs to", async () => {
    const supervisor = supervise([scripted("one", "scripted.mjs")]);

    const result = await supervisor.callTool("mcp_one_echo", { text: "early" });

    expect(result).toMatchObject({ ok: true, text: "early" });
  });

  it("says why a server that never came up has no tools: not that there is no such tool", async () => {
    const supervisor = supervise([
      { id: "gone", command: "nobody-has-this-command" },
      { id: "off", command: "node", enabled: false },
    ]);

    const result = await supervisor.callTool("mcp_gone_read", {});
    const off = await supervisor.callTool("mcp_off_read", {});
    const unknown = await supervisor.callTool("mcp_other_read", {});

    expect(result).toMatchObject({ ok: false, failure: { kind: "unavailable" } });
    expect(result.text).toContain('server "gone" is parked: ');
    expect(result.text).toContain('command "nobody-has-this-command" was not found');
    expect(off).toMatchObject({ ok: false, failure: { kind: "unavailable" } });
    expect(off.text).toContain('server "off" is disabled');
    expect(unknown).toMatchObject({ ok: false, failure: { kind: "unknown-tool" } });
  });

  it("ends with its timeout or its signal, too", async () => {
    const supervisor = supervise([
      { id: "slow", command: process.execPath, args: ["-e", "setTimeout(() => {}, 60000)"] },
    ]);
    await supervisor.start();
    const controller = new AbortController();
    const call = supervisor.callTool("mcp_slow_echo", {}, { signal: controller.signal });

    controller.abort();

    expect(await call).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
  });
});

describe("after stop", () => {
  it("calls and starts say so", async () => {
    const supervisor = supervise([scripted("one", "scripted.mjs")]);
    await supervisor.start();
    await supervisor.stop();

    await expect(supervisor.start()).rejects.toThrow(/the supervisor has stopped; make a new one/);
    expect(await supervisor.callTool("mcp_one_echo", {})).toMatchObject({
      ok: false,
      failure: { kind: "unavailable", message: "the supervisor has stopped; make a new one to call tools" },
    });
  });
});

describe("options", () => {
  it("that do not exist are refused with what was probably meant", () => {
    expect(() => createSupervisor({ aprove: () => "allow", approvalTimeot: "1m" } as never)).toThrow(
      ConfigError,
    );
    expect(() => createSupervisor({ aprove: () => "allow" } as never)).toThrow(
      'aprove is not an option of createSupervisor; did you mean "approve"?',
    );
  });

  it("take what stands under mcpServers in a file as it is, milliseconds and placeholders included", async () => {
    process.env["EARLY_TEST_FILE"] = "scripted.mjs";
    const supervisor = createSupervisor({
      home: temporaryFolder(),
      handleSignals: false,
      mcpServers: {
        "My Server": {
          command: process.execPath,
          args: [`${servers}/\${env:EARLY_TEST_FILE}`],
          type: "stdio",
          timeout: 30_000,
        },
        off: { command: "x", disabled: true },
        wrong: { command: 3 },
      },
      servers: [{ id: "off", command: "y" }],
    });

    expect(supervisor.servers().map(({ id, name }) => [id, name])).toEqual([
      [expect.stringMatching(/^my-server/), "My Server"],
      ["off", "off"],
    ]);
    expect(supervisor.server("off")?.status().target).toMatchObject({ command: "y" });
    expect(supervisor.problems().map(({ server }) => server)).toEqual(["wrong"]);
    await supervisor.stop();
  });

  it("take an approve that is an async function with one word", async () => {
    const files = await fakeServer({ id: "files" });
    const supervisor = createSupervisor({
      ...fleetOf(files),
      home: temporaryFolder(),
      mode: "ask",
      approve: async () => "allow",
    });

    expect(await supervisor.callTool("mcp_files_echo", {})).toMatchObject({ ok: true });
    await supervisor.stop();
  });
});

describe("an invalid server of the program", () => {
  it("is told as an event that logs and dashboards show", async () => {
    const supervisor = supervise([{ id: "Not An Id", command: "x" }]);
    await supervisor.start();

    expect(supervisor.replay(0).facts).toContainEqual(
      expect.objectContaining({
        type: "mcp.config",
        file: "options",
        errors: [expect.stringMatching(/servers\.0\.id/)],
      }),
    );
  });
});
