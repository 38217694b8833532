import { elapsedOf } from "../../clock.js";
import type { Clock } from "../../clock.js";
import type { KeepAlive } from "../../process/keepAlive.js";
import type { Dated, Deadlines } from "../../rpc/deadlines.js";
import type { Bus } from "../../streams/bus.js";
import { decisionOf } from "../../policy/decision.js";
import type { ApprovalRequest, Decision } from "../contract/approvals.js";
import type { SupervisorOptions } from "../contract/options.js";
import type { Approvals, DecidedBy, Question, Verdict } from "../state/consent.js";

/** Open questions at the same time; more are denied at once. */
const capacity = 100;

interface Open extends Dated {
  readonly request: ApprovalRequest;
  readonly resolve: (verdict: Verdict) => void;
  readonly controller: AbortController;
}

export function createApprovals(options: {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly keepAlive: KeepAlive;
  readonly bus: Bus;
  readonly timeoutMs: number;
  readonly approve: SupervisorOptions["approve"];
}): Approvals {
  const open = new Map<string, Open>();
  let count = 0;

  function decide(id: string, said: Decision, by: DecidedBy = "host"): boolean {
    const item = open.get(id);
    if (item === undefined) return false;
    const decision = decisionOf(said, item.request.kind);
    open.delete(id);
    options.deadlines.remove(item);
    if (item.request.kind === "call") options.keepAlive.release();
    item.controller.abort();
    options.bus.publish({
      type: "mcp.approval.decided",
      approval: id,
      id: item.request.server,
      decision,
      by,
    });
    item.resolve({ decision, by });
    return true;
  }

  function ask(
    question: Question,
    callId?: string,
    approve = options.approve,
  ): { id: string; verdict: Promise<Verdict> } | undefined {
    if (open.size >= capacity) return undefined;
    const id = `approval-${++count}`;
    const askedAt = options.clock.now();
    const request: ApprovalRequest = { ...question, id, askedAt, expiresAt: askedAt + options.timeoutMs };
    const controller = new AbortController();
    const verdict = new Promise<Verdict>((resolve) => {
      const dueAt = elapsedOf(options.clock) + options.timeoutMs;
      const item: Open = {
        request,
        resolve,
        controller,
        dueAt,
        expire: () => void decide(id, "deny", "timeout"),
      };
      open.set(id, item);
      // Somebody awaits the call; an entry that may start later is no reason to stay.
      if (request.kind === "call") options.keepAlive.hold();
      options.deadlines.add(item);
    });
    options.bus.publish({
      type: "mcp.approval.requested",
      approval: id,
      id: question.server,
      reason: question.reason,
      ...(question.tool === "" ? {} : { tool: question.tool }),
      ...(callId === undefined ? {} : { call: callId }),
    });
    if (approve !== undefined) void consult(approve, request, controller.signal);
    return { id, verdict };
  }

  /** A host whose handler throws or answers nonsense has not allowed anything. */
  async function consult(
    approve: NonNullable<SupervisorOptions["approve"]>,
    request: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<void> {
    let decision: Decision = "deny";
    try {
      decision = (await approve(request, signal)) as Decision;
    } catch {
      // Denied below; the host knows its own error.
    }
    decide(request.id, decision);
  }

  return {
    ask,
    decide,
    endAll(by, server) {
      for (const { request } of open.values()) {
        if (server === undefined || request.server === server) decide(request.id, "deny", by);
      }
    },
    list: () => [...open.values()].map((item) => item.request),
  };
}
