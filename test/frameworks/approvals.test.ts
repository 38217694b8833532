import { resolve } from "node:path";
import { BehaviorSubject } from "rxjs";
import { describe, expect, it } from "vitest";
import { approvalDesk, approveInChat } from "../../src/frameworks/index.js";
import type { DeskQuestion } from "../../src/frameworks/index.js";
import type { ApprovalRequest, Decision } from "../../src/index.js";
import { nextFact, supervise } from "../support.js";

const greeter = {
  id: "greeter",
  command: process.execPath,
  args: [resolve(import.meta.dirname, "../../examples/servers/greeter.mjs")],
};

function request(given: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: "approval-1",
    kind: "call",
    server: "files",
    tool: "write",
    title: "Write",
    arguments: { path: "a" },
    annotations: {},
    reason: "it may change things",
    answers: ["allow", "allow-for-session", "deny"],
    remedies: { autoApprove: true, modes: ["allow-trusted"] },
    askedAt: 1000,
    expiresAt: 2000,
    ...given,
  };
}

describe("approval in a conversation", () => {
  it.each([
    ["yes", "allow"],
    ["Always, please", "allow-for-session"],
    ["no", "deny"],
    ["no, yes would be wrong", "deny"],
  ])("%s means %s", async (answer, decision) => {
    const approve = approveInChat({ ask: async () => answer });
    expect(await approve(request(), new AbortController().signal)).toBe(decision);
  });

  it("means this once by always where nothing longer is offered", async () => {
    const approve = approveInChat({ ask: async () => "always" });
    const once = request({ answers: ["allow", "deny"] });

    expect(await approve(once, new AbortController().signal)).toBe("allow");
  });

  it("asks again when an answer says neither, then denies", async () => {
    const answers = ["what is that?", "hm"];
    const approve = approveInChat({ ask: async () => answers.shift()! });

    expect(await approve(request(), new AbortController().signal)).toBe("deny");
    expect(answers).toEqual([]);
  });

  it("asks one question at a time, and not those that are over", async () => {
    const asked: string[] = [];
    const answers: ((text: string) => void)[] = [];
    const approve = approveInChat({
      ask: ({ text, request: { tool } }) => {
        asked.push(tool);
        expect(text).toContain(tool);
        return new Promise((done) => answers.push(done));
      },
    });
    const gone = new AbortController();
    const first = approve(request({ tool: "one" }), new AbortController().signal);
    const second = approve(request({ tool: "two" }), gone.signal);
    await Promise.resolve();
    gone.abort();
    answers[0]!("yes");

    expect(await first).toBe("allow");
    expect(await second).toBe("deny");
    expect(asked).toEqual(["one"]);
  });
});

function rig(requests: ApprovalRequest[]) {
  const pending = new BehaviorSubject(requests);
  const decided: [string, Decision][] = [];
  const supervisor = {
    approvals$: pending,
    approvals: () => pending.value,
    decide: (id: string, decision: Decision) => {
      decided.push([id, decision]);
      pending.next(pending.value.filter((each) => each.id !== id));
      return true;
    },
  };
  const posted: DeskQuestion[] = [];
  const over: string[] = [];
  let saved: readonly string[] = [];
  const options = {
    post: async (question: DeskQuestion) => void posted.push(question),
    over: (reference: string) => void over.push(reference),
    store: { load: async () => saved, save: async (next: readonly string[]) => void (saved = next) },
  };
  return { supervisor, options, pending, posted, decided, over };
}

describe("the desk for later answers", () => {
  it("posts once, over restarts of the host, and takes the answer then", async () => {
    const { supervisor, options, posted, decided } = rig([request()]);
    (await approvalDesk(supervisor, options)).close();
    await new Promise((done) => setImmediate(done));
    const again = await approvalDesk(supervisor, options);

    expect(posted).toHaveLength(1);
    expect(again.answer(posted[0]!.reference, "allow")).toBe("decided");
    expect(decided).toEqual([["approval-1", "allow"]]);
    expect(again.answer(posted[0]!.reference, "allow")).toBe("too-late");
    again.close();
  });

  it("never decides a new question with an old answer", async () => {
    const { supervisor, options, posted, decided, pending } = rig([request()]);
    const desk = await approvalDesk(supervisor, options);
    // Another life of the supervisor counts from one again.
    pending.next([request({ askedAt: 5000, tool: "wipe" })]);

    expect(desk.answer(posted[0]!.reference, "allow")).toBe("too-late");
    expect(decided).toEqual([]);
    expect(posted).toHaveLength(2);
    desk.close();
  });

  it("a call whose answer comes too late is denied and says so", async () => {
    const supervisor = supervise([greeter], {
      mode: "ask",
      approvalTimeout: "150ms",
    });
    await supervisor.ready({ timeout: "40s" });
    const posted: DeskQuestion[] = [];
    const desk = await approvalDesk(supervisor, { post: async (question) => void posted.push(question) });
    const tool = supervisor.tools().find((each) => each.permission === "ask")!;
    const decided = nextFact(supervisor, "mcp.approval.decided");

    const result = await supervisor.callTool(tool.name, {});

    expect((await decided).by).toBe("timeout");
    expect(result).toMatchObject({ ok: false, failure: { kind: "denied" } });
    expect(desk.answer(posted[0]!.reference, "allow")).toBe("too-late");
    desk.close();
  });
});

describe("approve of one call", () => {
  it("is asked in place of the supervisor's", async () => {
    const supervisor = supervise([greeter], {
      mode: "ask",
      approve: () => {
        throw new Error("not asked");
      },
    });
    await supervisor.ready({ timeout: "40s" });
    const tool = supervisor.tools().find((each) => each.permission === "ask")!;
    const asked: string[] = [];

    await supervisor.callTool(tool.name, {}, { approve: (each) => (asked.push(each.tool), "deny") });

    expect(asked).toEqual([tool.tool]);
  });
});
