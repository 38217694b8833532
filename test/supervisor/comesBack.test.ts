import { describe, expect, it } from "vitest";
import { fakeServer, fleetOf } from "../../src/testing/index.js";
import { eventually, running } from "../support.js";

describe("a server that was removed and comes back while it still drains", () => {
  it("begins as it was saved last, however often it was saved meanwhile", async () => {
    const fake = await fakeServer({ id: "x", tools: [{ name: "echo", latency: 300 }] });
    const supervisor = await running([], fleetOf(fake));
    // The first call of a tool waits for its pin.
    await supervisor.callTool("mcp_x_echo", { text: "first" });
    const open = supervisor.callTool("mcp_x_echo", { text: "last" });

    await supervisor.removeServer("x");
    await supervisor.saveServer({ ...fake.config, enabled: false });
    await supervisor.saveServer({ ...fake.config, enabled: true });

    expect(await open).toMatchObject({ ok: true, text: "last" });
    await eventually(
      () => supervisor.server("x")?.status().state === "ready" && fake.generation > 0,
      "ready",
    );
    expect(await supervisor.callTool("mcp_x_echo", { text: "again" })).toMatchObject({
      ok: true,
      text: "again",
    });
    expect(fake.lives).toBe(1);
  });
});

describe("a call that ran in one life and could not be sent in the next", () => {
  it("is not told as one that was never sent", async () => {
    const fake = await fakeServer({
      id: "x",
      tools: [{ name: "read", annotations: { readOnlyHint: true } }],
      config: { retry: "safe", restart: "never" },
      faults: [
        { fault: "crash-before", nth: 1 },
        { fault: "refuse", on: "open", generation: 2 },
      ],
    });
    const supervisor = await running([], fleetOf(fake));

    const result = await supervisor.callTool("mcp_x_read", {}, { timeout: "5s" });

    expect(fake.received.filter(({ method }) => method === "tools/call")).toHaveLength(1);
    expect(result).toMatchObject({ ok: false, call: { sent: "yes" } });
  });
});
