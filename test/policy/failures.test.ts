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
        "(its last words: region is missing). The call may have run; look at its effect before you call again",
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
});
