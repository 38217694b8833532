import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serverMs } from "../../src/index.js";
import type { ApprovalRequest } from "../../src/index.js";
import { withLock } from "../../src/keep/lock.js";
import { eventually, nextFact, running, scripted, temporaryFolder } from "../support.js";

describe("permissions", () => {
  it("ask in mode ask, with arguments masked, and follow the decision", async () => {
    const asked: ApprovalRequest[] = [];
    const supervisor = await running(
      [scripted("one", "scripted.mjs", [], { env: { TOKEN: "tok-SECRET-1" } })],
      {
        mode: "ask",
        approve: (request) => {
          asked.push(request);
          return asked.length === 1 ? "deny" : "allow-for-session";
        },
      },
    );

    const denied = await supervisor.callTool("mcp_one_echo", { text: "with tok-SECRET-1" });
    const allowed = await supervisor.callTool("mcp_one_echo", { text: "again" });
    const remembered = await supervisor.callTool("mcp_one_echo", { text: "third" });

    expect(denied).toMatchObject({ ok: false, failure: { kind: "denied" }, call: { sent: "no" } });
    expect(allowed).toMatchObject({ ok: true, text: "again" });
    expect(remembered).toMatchObject({ ok: true, text: "third" });
    expect(asked).toHaveLength(2);
    // What a person denies is no fault of the server.
    expect(supervisor.server("one")?.status()).toMatchObject({ calls: 3, failures: 0 });
    expect(asked[0]).toMatchObject({
      kind: "call",
      server: "one",
      tool: "echo",
      arguments: { text: "with ********" },
    });
  });

  it("never let a person's time count against the call", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs")], { mode: "ask" });
    const call = supervisor.callTool("mcp_one_echo", { text: "hi" }, { timeout: 200 });
    await new Promise((done) => setTimeout(done, 400));
    const [request] = supervisor.approvals();

    expect(supervisor.decide(request!.id, "allow")).toBe(true);

    const result = await call;
    expect(result).toMatchObject({ ok: true, text: "hi" });
    const { durationMs, queuedMs, approvalMs = 0 } = result.call;
    expect(approvalMs).toBeGreaterThanOrEqual(390);
    expect(durationMs).toBeGreaterThanOrEqual(approvalMs + queuedMs);
    expect(serverMs(result.call)).toBeLessThan(durationMs - 380);
    expect(supervisor.replay(0).facts).toContainEqual(
      expect.objectContaining({ type: "mcp.call.settled", queuedMs, durationMs, approvalMs }),
    );
    expect(supervisor.decide(request!.id, "allow")).toBe(false);
  });

  it("end an open question when the caller gives up", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs")], { mode: "ask" });
    const controller = new AbortController();
    const call = supervisor.callTool("mcp_one_echo", {}, { signal: controller.signal });
    await eventually(() => supervisor.approvals().length === 1, "the question is open");

    controller.abort();

    expect(await call).toMatchObject({ ok: false, failure: { kind: "cancelled" }, call: { sent: "no" } });
    expect(supervisor.approvals()).toEqual([]);
  });

  it("ask for destructive tools in every mode", async () => {
    const supervisor = await running(
      [
        scripted("one", "scripted.mjs", ['--annotations={"destructiveHint":true}'], {
          auto_approve: ["echo"],
        }),
      ],
      {
        approve: () => "deny",
      },
    );

    expect(await supervisor.callTool("mcp_one_echo")).toMatchObject({
      ok: false,
      failure: { kind: "denied" },
    });
    expect(supervisor.tools().find((tool) => tool.tool === "echo")).toMatchObject({ permission: "ask" });
  });

  it("hold back a tool whose definition changed since its first use, also after a restart of the host", async () => {
    const home = temporaryFolder();
    const first = await running([scripted("one", "scripted.mjs")], { home });
    expect(first.tools().find((tool) => tool.tool === "echo")).toMatchObject({ pin: "new" });
    await first.callTool("mcp_one_echo");
    await first.stop();
    expect(statSync(join(home, "pins.json")).mode & 0o777).toBe(0o600);
    expect(
      Object.keys(
        (JSON.parse(readFileSync(join(home, "pins.json"), "utf8")) as { servers: { one: object } }).servers
          .one,
      ),
    ).toEqual(["echo"]);

    const asked: ApprovalRequest[] = [];
    const second = await running(
      [scripted("one", "scripted.mjs", ["--description=now it does something else"])],
      {
        home,
        approve: (request) => {
          asked.push(request);
          return asked.length === 1 ? "deny" : "allow";
        },
      },
    );
    expect(second.tools().find((tool) => tool.tool === "echo")).toMatchObject({
      pin: "changed",
      permission: "ask",
    });
    const held = await second.callTool("mcp_one_echo");
    const approved = await second.callTool("mcp_one_echo");
    const after = await second.callTool("mcp_one_echo");

    expect(held).toMatchObject({ ok: false, failure: { kind: "denied" } });
    expect([approved.ok, after.ok]).toEqual([true, true]);
    expect(asked).toHaveLength(2);
    expect(asked[0]!.reason).toContain("definition changed");
    expect(asked[0]!.difference).toEqual([
      { field: "description", before: '"a tool"', after: '"now it does something else"' },
    ]);
  });

  it("see what another host on the same state folder has pinned before the next call", async () => {
    const home = temporaryFolder();
    const asked: ApprovalRequest[] = [];
    const long = await running([scripted("one", "scripted.mjs", ["--description=new and evil"])], {
      home,
      approve: (request) => {
        asked.push(request);
        return "deny";
      },
    });
    const other = await running([scripted("one", "scripted.mjs")], { home });

    expect(await other.callTool("mcp_one_echo")).toMatchObject({ ok: true });
    expect(await long.callTool("mcp_one_echo")).toMatchObject({ ok: false, failure: { kind: "denied" } });

    expect(asked[0]!.reason).toContain("definition changed");
  });

  it("take over at the next call what was approved in another host", async () => {
    const home = temporaryFolder();
    const first = await running([scripted("one", "scripted.mjs")], { home });
    await first.callTool("mcp_one_echo");
    const changed = [scripted("one", "scripted.mjs", ["--description=another"])];
    const asking = await running(changed, { home });
    const approving = await running(changed, { home, approve: () => "allow" });
    expect(asking.tools().find((tool) => tool.tool === "echo")).toMatchObject({ pin: "changed" });

    expect(await approving.callTool("mcp_one_echo")).toMatchObject({ ok: true });
    expect(await asking.callTool("mcp_one_echo")).toMatchObject({ ok: true });
  });

  it("let one of two hosts pin that come first with different definitions, and ask in the other", async () => {
    const home = temporaryFolder();
    const asked: ApprovalRequest[] = [];
    const approve = (request: ApprovalRequest): "deny" => {
      asked.push(request);
      return "deny";
    };
    const hosts = await Promise.all(
      ["this", "that", "both"].map((description) =>
        running([scripted("one", "scripted.mjs", [`--description=${description}`])], { home, approve }),
      ),
    );

    const results = await Promise.all(hosts.map((host) => host.callTool("mcp_one_echo")));

    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });

  it("answer calls all the same when pins cannot be written, and write them once they can", async () => {
    const home = temporaryFolder();
    const supervisor = await running([scripted("one", "scripted.mjs")], { home });
    const told = nextFact(supervisor, "mcp.log", ({ message }) => message.includes("could not be saved"));

    // Held for longer than a call waits for it.
    await withLock(join(home, "pins.json.lock"), {}, async () => {
      expect(await supervisor.callTool("mcp_one_echo")).toMatchObject({ ok: true });
      await told;
    });
    expect(supervisor.tools().find((tool) => tool.tool === "echo")).toMatchObject({ pin: "pinned" });
    await supervisor.stop();

    expect(readFileSync(join(home, "pins.json"), "utf8")).toContain('"echo"');
  });
});
