import { describe, expect, it } from "vitest";
import { createApprover, howToAllow, questionLines } from "../../src/cli/fleet/approver.js";
import type { ApprovalRequest } from "../../src/index.js";
import { fakeContext, until } from "../cli/support/fakeContext.js";
import { fakeSupervisor } from "../cli/support/fakeSupervisor.js";

const tty = { columns: 80, rows: 24 };
const never = new AbortController().signal;

function request(given: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: "a1",
    kind: "call",
    server: "files",
    tool: "wipe",
    title: "Wipe",
    arguments: {},
    annotations: { destructiveHint: true },
    reason: "the server says that this tool may destroy something",
    answers: ["allow", "deny"],
    remedies: { autoApprove: false, modes: [] },
    askedAt: 0,
    expiresAt: 1,
    ...given,
  };
}

function rowsOf(lines: readonly string[]): number {
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / tty.columns)), 0);
}

describe("a question on the terminal", () => {
  it("is painted by no name of a tool (P11)", () => {
    const tool = `wipe"${" ".repeat(120)}Run "read_notes" of server "notes"?${" ".repeat(60)}[y] once`;
    const [subject] = questionLines(request({ tool }));

    expect(subject!.length).toBeLessThan(tty.columns * 2);
    expect(subject).not.toMatch(/ {2}/);
    expect(subject).not.toContain("read_notes");
  });

  it("fits into the window whatever the arguments are, with its subject beside the prompt (P12)", async () => {
    const { context, stdin, stderr } = fakeContext(fakeSupervisor({}).supervisor, tty);
    const asked = request({ arguments: { text: "x".repeat(4000) }, reason: "r".repeat(5000) });

    const decided = createApprover(context).decide(asked, never);
    await until(() => stderr.text.includes("[N] no:"), "the question");
    stdin.write("y\n");

    expect(await decided).toBe("allow");
    expect(rowsOf(questionLines(asked))).toBeLessThan(tty.rows - 2);
    expect(stderr.text.split("\n").at(-1)).toMatch(
      /^ {2}Run "wipe" of server "files"\? \[y\] once, \[N\] no: $/,
    );
  });

  it("is not answered by what was typed before it (P15)", async () => {
    const { context, stdin, stderr } = fakeContext(fakeSupervisor({}).supervisor, tty);
    stdin.write("y\ny\n");

    const decided = createApprover(context).decide(request(), never);
    await until(() => stderr.text.includes("[N] no:"), "the question");
    stdin.write("n\n");

    expect(await decided).toBe("deny");
  });

  it("offers nothing that cannot help, and takes no answer that it does not offer", async () => {
    const { context, stdin, stderr } = fakeContext(fakeSupervisor({}).supervisor, tty);

    const decided = createApprover(context).decide(request(), never);
    await until(() => stderr.text.includes("[N] no:"), "the question");
    stdin.write("s\n");

    expect(await decided).toBe("deny");
    expect(stderr.text).not.toContain("session");
    expect(howToAllow(request())).not.toMatch(/auto_approve|--mode/);
    expect(howToAllow(request({ remedies: { autoApprove: true, modes: ["allow-trusted"] } }))).toMatch(
      /list the tool in "auto_approve" of that server, or choose --mode allow-trusted\.$/,
    );
  });

  it.each([
    ["y", "allow"],
    ["s", "allow-for-session"],
    ["g", "allow-for-good"],
    ["", "deny"],
  ])("about an entry takes %j as %s", async (answer, decision) => {
    const { context, stdin, stderr } = fakeContext(fakeSupervisor({}).supervisor, tty);
    const asked = request({
      kind: "server",
      tool: "",
      arguments: { command: "runs: node x.mjs\nsets: HOME=/evil" },
      answers: ["allow", "allow-for-session", "allow-for-good", "deny"],
    });

    const decided = createApprover(context).decide(asked, never);
    await until(() => stderr.text.includes("[N] no:"), "the question");
    stdin.write(`${answer}\n`);

    expect(await decided).toBe(decision);
    expect(stderr.text).toContain("  runs: node x.mjs\n  sets: HOME=/evil\n");
    expect(stderr.text).toContain(
      'Start server "files"? [y] once, [s] for this session, [g] for good (this version), [N] no: ',
    );
  });
});
