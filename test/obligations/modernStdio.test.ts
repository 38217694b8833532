import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Supervisor, SupervisorOptions } from "../../src/index.js";
import { eventually, nextFact, running, scripted, temporaryFolder } from "../support.js";

interface Met {
  readonly supervisor: Supervisor;
  readonly call: (tool: string, args?: object, options?: object) => ReturnType<Supervisor["callTool"]>;
  readonly tools: () => string[];
  readonly events: () => string[];
}

async function modern(options: SupervisorOptions = {}): Promise<Met> {
  const file = join(temporaryFolder(), "events");
  const config = scripted("m", "modernStdio.mjs", [], {
    env: { EVENTS: file },
    protocolVersion: "2026-07-28",
  });
  const supervisor = await running([config], options);
  return {
    supervisor,
    call: (tool, args = {}, callOptions = {}) =>
      supervisor.callTool(
        supervisor.tools().find((each) => each.tool === tool)?.name ?? tool,
        args,
        callOptions,
      ),
    tools: () => supervisor.tools().map((each) => each.tool),
    events: () => readFileSync(file, "utf8").trim().split("\n"),
  };
}

describe("a server of 2026-07-28 on stdio", () => {
  it("gets no responses: what it asks is dropped with a warning (row 15)", async () => {
    const { supervisor, call } = await modern();

    expect((await call("responses")).text).toBe("0");
    expect(supervisor.servers()[0]?.warnings.join()).toContain("roots/list");
  });

  it("is told to cancel a call that took too long, and its late answer is dropped (row 16)", async () => {
    const { call, events } = await modern();

    const slow = await call("sleep", { ms: 60_000 }, { timeout: 200 });
    expect(slow).toMatchObject({ ok: false, failure: { kind: "timeout" } });
    expect((await call("echo", { a: 1 })).text).toBe('{"a":1}');
    expect(events()).toEqual(["start", "cancelled sleep: timeout"]);
  });

  it("may leave out resultType, but not make one up (row 31)", async () => {
    const { call } = await modern();

    expect(await call("bare")).toMatchObject({ ok: true, text: "bare" });
    expect(await call("odd")).toMatchObject({ ok: false, failure: { kind: "invalid-result" } });
  });

  it("is listened to, and its changes show (row 32)", async () => {
    const { call, tools, supervisor } = await modern();
    await eventually(
      async () => (await call("seen")).text.includes("subscriptions/listen"),
      "it is listened to",
    );

    const told = nextFact(supervisor, "mcp.tools");
    await call("grow");
    expect((await told).added).toHaveLength(1);
    expect(tools()).toContain("grown-14");
  });

  it("is listened to again when the subscription ends, and listed again for what changed between (row 32)", async () => {
    const { call, tools } = await modern();
    await eventually(
      async () => (await call("seen")).text.includes("subscriptions/listen"),
      "it is listened to",
    );

    await call("gap");
    await eventually(() => tools().includes("gap-tool"), "the tool of the gap shows");
    expect(
      (await call("seen")).text.split(" ").filter((each) => each === "subscriptions/listen"),
    ).toHaveLength(2);
  });
});

describe("a call that needs more rounds (row 30)", () => {
  it("is answered by the host, with its state byte for byte and a new id", async () => {
    const asked: unknown[] = [];
    const { call } = await modern({
      elicit: (request) => {
        asked.push(request);
        return { action: "accept" };
      },
    });

    const result = await call("ask");
    const { id, inputResponses, requestState } = JSON.parse(result.text) as Record<string, unknown>;
    expect(requestState).toBe('aé\n"state" ');
    expect(inputResponses).toEqual({ size: { action: "accept", content: { size: "large" } } });
    expect(id).toBeGreaterThan(1);
    expect(asked).toEqual([
      {
        mode: "form",
        server: "m",
        message: "Which one?",
        schema: { type: "object", properties: { size: { type: "string", default: "large" } } },
      },
    ]);
  });

  it("is declined for a host without a handler", async () => {
    const { call } = await modern();

    const result = await call("ask");
    expect(JSON.parse(result.text)).toMatchObject({ inputResponses: { size: { action: "decline" } } });
  });

  it("does not pay for the time a person takes, and withdraws the question when it is cancelled", async () => {
    const controller = new AbortController();
    const withdrawn: boolean[] = [];
    const { call } = await modern({
      elicit: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => void withdrawn.push(true), { once: true });
          if (withdrawn.push(false) === 1) setTimeout(() => resolve({ action: "decline" }), 1500);
          else setImmediate(() => controller.abort());
        }),
    });

    expect(await call("ask", {}, { timeout: 1000 })).toMatchObject({ ok: true });
    const given = call("ask", {}, { signal: controller.signal });
    expect(await given).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
    expect(withdrawn).toEqual([false, false, true]);
  });

  it("fails after ten rounds without an end", async () => {
    const { call } = await modern();

    expect(await call("endless")).toMatchObject({
      ok: false,
      failure: {
        kind: "invalid-result",
        message: 'tool "endless" of server "m" asked for input more than 10 times without an end',
      },
    });
  });
});

describe("a call that becomes a task", () => {
  it("is looked at until it is done, and its progress is told", async () => {
    const { call } = await modern();
    const told: unknown[] = [];

    const result = await call("task", {}, { onProgress: (note: unknown) => void told.push(note) });

    expect(result).toMatchObject({ ok: true, text: '"done"' });
    expect(told).toEqual([
      { progress: 1, message: "look 1" },
      { progress: 2, message: "look 2" },
    ]);
  });

  it("may ask the host", async () => {
    const { call } = await modern({ elicit: () => ({ action: "accept", content: { size: "small" } }) });

    expect((await call("task-ask")).text).toBe('{"size":{"action":"accept","content":{"size":"small"}}}');
  });

  it("may fail with the error of the server", async () => {
    const { call } = await modern();

    expect(await call("task-fail")).toMatchObject({
      ok: false,
      failure: { kind: "protocol-error", code: -32603 },
    });
  });

  it("is cancelled as a task", async () => {
    const { call, events } = await modern();
    const controller = new AbortController();

    const given = call(
      "task-forever",
      {},
      { signal: controller.signal, onProgress: () => controller.abort() },
    );

    expect(await given).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
    await eventually(() => events().includes("tasks/cancel task-forever"), "the server is told");
    expect(events().filter((each) => each.startsWith("cancelled"))).toEqual([]);
  });
});
