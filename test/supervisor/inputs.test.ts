import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fact, Supervisor, SupervisorOptions } from "../../src/index.js";
import { eventually, nextFact, running, scripted, temporaryFolder } from "../support.js";

function asking(options: SupervisorOptions = {}, env: Record<string, string> = {}): Promise<Supervisor> {
  return running([scripted("asks", "asksHost.mjs", [], { env, restart: "eager" })], options);
}

/** The answer that the server gets to this request, while a call of it is in flight. */
async function answerTo(supervisor: Supervisor, method: string, params: object = {}): Promise<unknown> {
  const result = await supervisor.callTool("mcp_asks_request", { method, params });
  return JSON.parse(result.text);
}

const form = {
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", default: "Ada" },
      age: { type: "integer", default: 36 },
      note: { type: "string" },
    },
  },
};

describe("what a server may ask", () => {
  it("is nothing unless the host has handlers: nothing is declared, everything refused", async () => {
    const supervisor = await asking();

    expect((await supervisor.callTool("mcp_asks_declared", {})).text).toBe("{}");
    for (const method of ["elicitation/create", "sampling/createMessage", "roots/list"]) {
      expect(await answerTo(supervisor, method, form)).toEqual({
        code: -32601,
        message: `Method not found: ${method}`,
      });
    }
  });

  it("is declared and answered by the handlers of the host", async () => {
    const asked: unknown[] = [];
    const supervisor = await asking({
      elicit: (request) => {
        asked.push(request);
        return { action: "accept", content: { age: 20 } };
      },
      sample: async ({ server, params }) => ({
        role: "assistant",
        content: { type: "text", text: `${server} ${String(params["maxTokens"])}` },
        model: "m",
      }),
      roots: () => [{ uri: "file:///tmp", name: "tmp" }],
    });

    expect(JSON.parse((await supervisor.callTool("mcp_asks_declared", {})).text)).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: {},
      roots: {},
    });
    expect(await answerTo(supervisor, "elicitation/create", form)).toEqual({
      action: "accept",
      content: { age: 20, name: "Ada" },
    });
    expect(await answerTo(supervisor, "sampling/createMessage", { maxTokens: 7 })).toMatchObject({
      content: { text: "asks 7" },
    });
    expect(await answerTo(supervisor, "roots/list")).toEqual({
      roots: [{ uri: "file:///tmp", name: "tmp" }],
    });
    expect(asked).toEqual([
      { mode: "form", server: "asks", message: "Who are you?", schema: form.requestedSchema },
    ]);
  });

  it("may be an address to open, which gives no content", async () => {
    const asked: unknown[] = [];
    const supervisor = await asking({
      elicit: (request) => {
        asked.push(request);
        return { action: "accept", content: { stray: 1 } };
      },
    });
    const url = { mode: "url", message: "Sign in", url: "https://example.com/in", elicitationId: "e1" };

    expect(await answerTo(supervisor, "elicitation/create", url)).toEqual({ action: "accept" });
    expect(asked).toEqual([{ ...url, server: "asks" }]);
    expect(
      await answerTo(supervisor, "elicitation/create", { ...url, url: "javascript:alert(1)" }),
    ).toMatchObject({ code: -32602 });
  });

  it("gets an error without details when a handler throws", async () => {
    const supervisor = await asking({
      elicit: () => {
        throw new Error("secret of the host");
      },
    });

    expect(await answerTo(supervisor, "elicitation/create", form)).toEqual({
      code: -32603,
      message: "the client could not answer",
    });
  });

  it("costs a call no time while a person answers", async () => {
    const supervisor = await asking({
      elicit: () => new Promise((resolve) => setTimeout(() => resolve({ action: "decline" }), 2000)),
    });

    const result = await supervisor.callTool(
      "mcp_asks_request",
      { method: "elicitation/create", params: form },
      { timeout: 1500 },
    );
    expect(result).toMatchObject({ ok: true, text: '{"action":"decline"}' });
  });
});

function logs(facts: readonly Fact[]): string[] {
  return facts.flatMap((fact) => (fact.type === "mcp.log" ? [`${fact.level} ${fact.message}`] : []));
}

const log = (level: string, data: unknown): object => ({
  method: "notifications/message",
  params: { level, data },
});

const progressNote = (value: unknown, progressToken: unknown = "{token}"): object => ({
  method: "notifications/progress",
  params: { progressToken, progress: value },
});

describe("log messages of a server", () => {
  it("are not asked for and not told by default", async () => {
    const supervisor = await asking();

    await supervisor.callTool("mcp_asks_log", { count: 1 });
    expect((await supervisor.callTool("mcp_asks_level", {})).text).toBe("none");
    expect(logs(supervisor.replay(0).facts)).toEqual([]);
  });

  it("are facts from the level on that the host wants, and at most twenty a second", async () => {
    const supervisor = await asking({ logging: "notice" });

    await supervisor.callTool("mcp_asks_log", { count: 500 });
    expect((await supervisor.callTool("mcp_asks_level", {})).text).toBe("notice");
    const told = logs(supervisor.replay(0).facts);
    expect(told[0]).toBe('info db: {"n":1}');
    expect(told.length).toBeGreaterThanOrEqual(20);
    expect(told.length).toBeLessThan(200);

    await eventually(async () => {
      await supervisor.callTool("mcp_asks_log", { count: 1 });
      return logs(supervisor.replay(0).facts).some((each) =>
        /\(\d+ messages before it were dropped\)$/.test(each),
      );
    }, "the dropped ones are counted");
  });

  it("keep the level that was asked for when the server ignores it, tell a cut, and count what nobody follows", async () => {
    const supervisor = await running([scripted("one", "says.mjs")], { logging: "warning" });
    const counted = nextFact(supervisor, "mcp.log", ({ message }) => message.includes("were dropped"));

    await supervisor.callTool("mcp_one_say", {
      messages: [
        ...["debug", "info", "notice", "strange"].map((level) => log(level, `too little: ${level}`)),
        log("warning", "x".repeat(3000)),
        ...Array.from({ length: 30 }, (_, n) => log("error", `n${n}`)),
      ],
    });

    expect((await counted).message).toBe("11 log messages were dropped: more than 20 came in a second");
    const told = logs(supervisor.replay(0).facts);
    expect(told.join()).not.toContain("too little");
    expect(told[0]).toMatch(/^warning x{2000}… \(cut: 3000 characters in all\)$/);
  });

  it("have progress beside them that only grows, whatever the server says", async () => {
    const supervisor = await running([scripted("one", "says.mjs")]);
    const told: number[] = [];

    const result = await supervisor.callTool(
      "mcp_one_say",
      {
        messages: [1, 3, 2, "4", null, { a: 1 }, 3, 5, -1]
          .map((each) => progressNote(each))
          .concat(progressNote(9, "odd")),
      },
      { onProgress: (note) => void told.push(note.progress) },
    );

    expect(result.ok).toBe(true);
    expect(told).toEqual([1, 3, 3, 5]);
    expect(supervisor.server("one")!.status().warnings).toEqual([]);
  });
});

describe("a tool that must be called as a task", () => {
  it("is, and its progress is told under the token of the call", async () => {
    const supervisor = await asking();
    const told: number[] = [];

    const result = await supervisor.callTool(
      "mcp_asks_job",
      {},
      { onProgress: ({ progress }) => void told.push(progress) },
    );

    expect(result).toMatchObject({ ok: true, text: "result of job" });
    expect(told.length).toBeGreaterThanOrEqual(3);
  });

  it("is told apart from tools that forbid it, which are called plainly (row 36)", async () => {
    const supervisor = await asking();

    expect(await supervisor.callTool("mcp_asks_plain", {})).toMatchObject({ ok: true, text: "plain" });
  });

  it("is cancelled as a task, not as a request", async () => {
    const file = join(temporaryFolder(), "events");
    const supervisor = await asking({}, { EVENTS: file });
    const controller = new AbortController();

    const given = supervisor.callTool(
      "mcp_asks_stuck_job",
      {},
      { signal: controller.signal, onProgress: () => controller.abort() },
    );

    expect(await given).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
    await eventually(
      () => readFileSync(file, "utf8").includes("tasks/cancel stuck-job"),
      "the server is told",
    );
    expect(readFileSync(file, "utf8").split("\n")).not.toContain("cancelled");
  });

  it("is followed over a reconnect", async () => {
    const folder = temporaryFolder();
    const events = join(folder, "events");
    const supervisor = await asking({}, { EVENTS: events, TASKS: join(folder, "tasks") });
    let killed = false;

    const result = await supervisor.callTool(
      "mcp_asks_job",
      {},
      {
        onProgress: () => {
          const [pid] = supervisor.servers()[0]?.pids ?? [];
          if (!killed && pid !== undefined) process.kill(pid, "SIGKILL");
          killed = true;
        },
      },
    );

    expect(killed).toBe(true);
    expect(result).toMatchObject({ ok: true, text: "result of job" });
    expect(supervisor.servers()[0]?.generation).toBe(2);
  });
});
