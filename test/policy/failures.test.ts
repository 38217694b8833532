import { describe, expect, it } from "vitest";
import type { CauseKind } from "../../src/errors.js";
import {
  cancelled,
  denied,
  lostCall,
  overloaded,
  protocolError,
  timedOut,
  unknownTool,
} from "../../src/policy/failures.js";

const target = { server: "files", tool: "write" };

describe("the failure of a call whose server is lost", () => {
  it("is unavailable when the call was not sent, with what to do", () => {
    const cause = { kind: "command-not-found", message: 'command "npxx" was not found' } as const;

    expect(lostCall(cause, "no", target)).toEqual({
      kind: "unavailable",
      message:
        'server "files" is not available for tool "write": command "npxx" was not found. The call did not run; ' +
        "install the command or correct `command` in its configuration",
    });
  });

  it.each(["yes", "unknown"] as const)("is outcome-unknown when the call was sent (%s)", (sent) => {
    const cause = {
      kind: "crashed",
      message: "the process ended with exit code 3",
      exitCode: 3,
      stderrTail: ["starting", "region is missing"],
    } as const;

    expect(lostCall(cause, sent, target)).toEqual({
      kind: "outcome-unknown",
      code: 3,
      message:
        'the answer of tool "write" of server "files" was lost: the process ended with exit code 3 ' +
        "(its stderr says: region is missing). The call may have run; look at its effect before you call again",
    });
  });

  it.each<CauseKind>(["rate-limited", "auth-required", "forbidden", "session-lost", "redirected", "refused"])(
    "is unavailable when the server said that it did not take the request (%s)",
    (kind) => {
      expect(lostCall({ kind, message: "no" }, "yes", target).kind).toBe("unavailable");
    },
  );

  it.each<CauseKind>(["server-error", "reset", "crashed", "killed", "stopping", "stdout-closed"])(
    "is outcome-unknown when the call may have run (%s)",
    (kind) => {
      expect(lostCall({ kind, message: "no" }, "unknown", target).kind).toBe("outcome-unknown");
    },
  );

  it("is a result that cannot be read, of a call that has run, when the answer was no JSON", () => {
    const cause = { kind: "not-json", message: "it is cut", httpStatus: 200 } as const;

    expect(lostCall(cause, "no", target)).toStrictEqual({
      kind: "invalid-result",
      code: 200,
      message: 'the answer of tool "write" of server "files" cannot be read: it is cut. The call has run',
    });
  });

  it("is a denial when the scopes of a token do not reach", () => {
    expect(lostCall({ kind: "insufficient-scope", message: "it lacks write" }, "yes", target)).toStrictEqual({
      kind: "denied",
      message: "it lacks write",
    });
  });

  it("holds no member that is not known, and the telling line of its last words", () => {
    const cause = { kind: "crashed", message: "m", stderrTail: ["a", "b", "c"] } as const;
    const failure = lostCall(cause, "unknown", target);

    expect(Object.keys(failure)).toEqual(["kind", "message"]);
    expect(failure.message).toContain("(its stderr says: c)");
    expect(Object.keys(lostCall({ kind: "crashed", message: "m" }, "no", target))).toEqual([
      "kind",
      "message",
    ]);
  });

  it("says when a new try makes sense", () => {
    const cause = { kind: "rate-limited", message: "429", httpStatus: 429, retryAfterMs: 2000 } as const;

    expect(lostCall(cause, "yes", target)).toEqual({
      kind: "unavailable",
      code: 429,
      retryAfterMs: 2000,
      message:
        'server "files" is not available for tool "write": 429. The call did not run; call again in 2 s',
    });
  });
});

describe("other failures", () => {
  it("name server and tool, what happened and what to do", () => {
    expect(unknownTool("mcp_fils_write", ["mcp_files_write"])).toEqual({
      kind: "unknown-tool",
      message: 'there is no tool "mcp_fils_write"; near names: "mcp_files_write"',
    });
    expect(unknownTool("x", []).message).toBe('there is no tool "x"; look at the list of tools');
    expect(protocolError({ code: -32602, message: "bad", data: { a: 1 } }, target)).toEqual({
      kind: "protocol-error",
      code: -32602,
      data: { a: 1 },
      message: 'server "files" refused the call of tool "write": bad (code -32602)',
    });
    expect(overloaded(target, 16, 256).message).toBe(
      'server "files" has 16 calls open and 256 waiting, which is its limit; tool "write" was not called. ' +
        "Call again later, or raise limits.inFlight and limits.queued",
    );
    expect(timedOut(target, "no", 500).message).toBe(
      'tool "write" of server "files" gave no result within 500 ms: it waited for the server and was not sent',
    );
    expect(timedOut(target, "yes", 2500).message).toBe(
      'tool "write" of server "files" gave no result within 2.5 s: it was sent, cancelled, and may have run; ' +
        "look at its effect before you call again",
    );
    expect(cancelled(target, "no").message).toBe(
      'the call of tool "write" of server "files" was cancelled before it was sent',
    );
    expect(denied(target, "nobody answered")).toEqual({
      kind: "denied",
      message: 'tool "write" of server "files" was not called: nobody answered',
    });
  });

  it("cut what others wrote, at 128 and at 2,000 characters", () => {
    const said = (length: number) => protocolError({ code: 1, message: "x".repeat(length) }, target).message;

    expect(unknownTool("n".repeat(128), []).message).toContain(`"${"n".repeat(128)}"`);
    expect(unknownTool("n".repeat(129), []).message).toContain(`"${"n".repeat(128)}"`);
    expect(said(2000)).toContain(`: ${"x".repeat(2000)} (code`);
    expect(said(2001)).toContain(`: ${"x".repeat(2000)}… (code`);
    expect(Object.keys(protocolError({ code: 1, message: "m" }, target))).toEqual([
      "kind",
      "message",
      "code",
    ]);
  });

  it.each([
    [999, "999 ms"],
    [1000, "1 s"],
    [1049, "1 s"],
    [1050, "1.1 s"],
    [0.4, "0 ms"],
  ])("write %f ms as %s", (ms, text) => {
    expect(timedOut(target, "no", ms).message).toContain(`within ${text}:`);
  });

  it("say of a call that was sent, or may have been, that it may have run", () => {
    for (const sent of ["yes", "unknown"] as const) {
      expect(timedOut(target, sent, 5).message).toContain("may have run");
      expect(cancelled(target, sent).message).toContain("may have run");
    }
    expect(timedOut(target, "no", 5).message).not.toContain("may have run");
  });
});
