import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allows, decisionOf } from "../../src/policy/decision.js";
import type { Decision } from "../../src/index.js";
import { approvalOf } from "../http/fakeSupervisor.js";
import { rig } from "../http/rig.js";
import { eventually, running, scripted } from "../support.js";

/** What a host in plain JavaScript may say instead of one of the words (G07). */
const odd: readonly unknown[] = [
  "Deny",
  "no",
  "Allow",
  "ALLOW",
  " allow",
  "allow ",
  "allowed",
  "yes",
  "y",
  "true",
  "",
  "allow-for",
  "allow_for_session",
  true,
  false,
  undefined,
  null,
  0,
  1,
  Number.NaN,
  {},
  [],
  ["allow"],
  { decision: "allow" },
  new String("allow"),
];
const destructive = ['--annotations={"destructiveHint":true}'];

describe("only the allowing words allow", () => {
  it("in the library, whatever decide is given", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs", destructive)], {
      mode: "allow-trusted",
    });
    for (const said of odd) {
      const call = supervisor.callTool("mcp_one_echo", { text: "x" });
      await eventually(() => supervisor.approvals().length === 1, "the question is open");
      expect(supervisor.decide(supervisor.approvals()[0]!.id, said as Decision)).toBe(true);
      expect(await call).toMatchObject({ ok: false, failure: { kind: "denied" }, call: { sent: "no" } });
    }
  });

  it("in the approve callback, whatever it returns or throws", async () => {
    let said: unknown;
    const supervisor = await running([scripted("one", "scripted.mjs", destructive)], {
      approve: () => said as Decision,
    });
    for (said of odd) {
      expect(await supervisor.callTool("mcp_one_echo", { text: "x" })).toMatchObject({
        ok: false,
        failure: { kind: "denied" },
      });
    }
  });

  it("for any value at all; a call cannot be allowed for good", () => {
    const words = ["allow", "allow-for-session", "allow-for-good"];
    fc.assert(
      fc.property(fc.anything(), (said) => {
        const isWord = words.some((word) => word === said);
        expect(allows(said)).toBe(isWord);
        expect(decisionOf(said, "server")).toBe(isWord ? said : "deny");
      }),
    );
    expect(decisionOf("allow-for-good", "call")).toBe("deny");
    expect(decisionOf("allow-for-session", "call")).toBe("allow-for-session");
  });

  it("and a question offers only the answers and the settings that help", async () => {
    const supervisor = await running(
      [scripted("one", "scripted.mjs", destructive), scripted("two", "scripted.mjs")],
      { mode: "ask" },
    );
    const calls = [supervisor.callTool("mcp_one_echo"), supervisor.callTool("mcp_two_echo")];
    await eventually(() => supervisor.approvals().length === 2, "both questions are open");

    expect(supervisor.approvals().map(({ answers, remedies }) => ({ answers, remedies }))).toEqual([
      { answers: ["allow", "deny"], remedies: { autoApprove: false, modes: [] } },
      {
        answers: ["allow", "allow-for-session", "deny"],
        remedies: { autoApprove: true, modes: ["allow-trusted"] },
      },
    ]);
    for (const { id } of supervisor.approvals()) supervisor.decide(id, "deny");
    await Promise.all(calls);
  });
});

describe("only the allowing words allow, over HTTP", () => {
  it("whatever the body of the route says", async () => {
    const { fake, ask } = await rig();
    const bodies: readonly unknown[] = [
      // What JSON has no word for, or makes the very word of.
      ...odd
        .filter((each) => ![undefined, '"allow"'].includes(JSON.stringify(each)))
        .map((decision) => ({ decision })),
      {},
      [],
      "allow",
      null,
      { Decision: "allow" },
      { decision: "allow", extra: true },
    ];
    for (const [at, body] of bodies.entries()) {
      const id = `approval-${at}`;
      fake.ask(approvalOf(id));
      const answer = await ask("POST", `/api/mcp/approvals/${id}`, body);
      expect({ body, status: answer.status }).toEqual({ body, status: 400 });
    }
    // What was not understood has decided nothing: each question is still open, and a real word still answers it.
    expect(fake.approvals()).toHaveLength(bodies.length);
    expect((await ask("POST", "/api/mcp/approvals/approval-0", { decision: "deny" })).status).toBe(204);
  });
});
