import { describe, expect, it } from "vitest";
import { createApprover } from "../../src/cli/fleet/approver.js";
import type { ApprovalRequest } from "../../src/index.js";
import { fakeContext, until } from "./support/fakeContext.js";
import { fakeSupervisor } from "./support/fakeSupervisor.js";

const tty = { columns: 100, rows: 20 };
const never = new AbortController().signal;

function request(given: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: "a1",
    kind: "call",
    server: "files",
    tool: "write_file",
    title: "Write",
    arguments: { path: "x\u001b[2J" },
    annotations: {},
    reason: "mode is ask",
    answers: ["allow", "allow-for-session", "deny"],
    remedies: { autoApprove: true, modes: ["allow-trusted"] },
    askedAt: 0,
    expiresAt: 1,
    ...given,
  };
}

describe("approvals in the terminal", () => {
  it.each([
    ["y", "allow"],
    ["YES", "allow"],
    ["s", "allow-for-session"],
    ["", "deny"],
    ["n", "deny"],
    ["yep", "deny"],
  ])("takes the answer %j as %s", async (answer, decision) => {
    const { context, stdin, stderr } = fakeContext(fakeSupervisor({}).supervisor, tty);

    const decided = createApprover(context).decide(request(), never);
    await until(() => stderr.text.includes("[N] no:"), "the question");
    stdin.write(`${answer}\n`);

    expect(await decided).toBe(decision);
  });

  it("shows arguments and differences with hidden characters escaped", async () => {
    const { context, stdin, stderr } = fakeContext(fakeSupervisor({}).supervisor, tty);
    const difference = [{ field: "description", before: "reads", after: "reads\u202e and sends" }];

    const decided = createApprover(context).decide(request({ difference }), never);
    await until(() => stderr.text.includes("[N] no:"), "the question");
    stdin.write("n\n");
    await decided;

    expect(stderr.text).toContain('Run "write_file" of server "files"?');
    expect(stderr.text).toContain("description is:  reads\\u202e and sends");
    expect(stderr.text).toContain('arguments: {"path":"x\\u001b[2J"}');
  });

  it("asks one question at a time", async () => {
    const { context, stdin, stderr } = fakeContext(fakeSupervisor({}).supervisor, tty);
    const approver = createApprover(context);
    const questions = () => stderr.text.split("[N] no:").length - 1;

    const first = approver.decide(request(), never);
    const second = approver.decide(request({ tool: "other" }), never);
    await until(() => questions() === 1, "the first question");
    expect(stderr.text).not.toContain('"other"');
    stdin.write("y\n");
    await until(() => questions() === 2, "the second question");
    stdin.write("n\n");

    expect(await Promise.all([first, second])).toEqual(["allow", "deny"]);
  });

  it("gives up a question whose call has ended", async () => {
    const { context, stderr } = fakeContext(fakeSupervisor({}).supervisor, tty);
    const ended = new AbortController();

    const decided = createApprover(context).decide(request(), ended.signal);
    await until(() => stderr.text.includes("[N] no:"), "the question");
    ended.abort();

    expect(await decided).toBe("deny");
  });

  it("denies without a terminal and says once how to allow", async () => {
    const { context, stderr } = fakeContext(fakeSupervisor({}).supervisor);
    const approver = createApprover(context);

    expect(await approver.decide(request(), never)).toBe("deny");
    expect(await approver.decide(request(), never)).toBe("deny");

    expect(stderr.text).toBe(
      'denied: tool "write_file" of server "files" needs an approval (mode is ask). To allow it, run this command in a terminal, list the tool in "auto_approve" of that server, or choose --mode allow-trusted.\n',
    );
  });
});
