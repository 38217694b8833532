import { elapsedOf } from "../../clock.js";
import type { Failure } from "../../errors.js";
import { allows } from "../../policy/decision.js";
import type { ToolEntry } from "../../tools/catalog.js";
import type { CallBehalf, CallOptions } from "../contract/calls.js";
import type { Judgement, Verdict } from "../state/consent.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";
import type { SharedState } from "../state/sharedState.js";
import { outlived } from "./afterWait.js";

/** Where a call goes once it is decided about. */
export interface Destination {
  /** It may run; this is the monotonic ms of now. */
  admit(call: Call, record: ServerRecord, now: number): void;
  fail(call: Call, record: ServerRecord, failure: Failure): void;
}

/** The door between a call and its server: what may run goes on, what may not is refused, and a person is asked about the rest. */
export function createPermit(shared: SharedState, dispatcher: Destination) {
  /** Lets the call go on, refuses it, or asks a person first. */
  function permit(
    call: Call,
    record: ServerRecord,
    entry: ToolEntry,
    args: unknown,
    behalf: CallBehalf | undefined,
    approve: CallOptions["approve"],
  ): void {
    const looking = shared.permissions.look(entry);
    if (looking === undefined) decide();
    else void after(looking, call, record, decide);

    function decide(): void {
      const verdict = shared.permissions.decide(record, entry, behalf);
      if (verdict.decision === "allow") {
        const keeping = shared.permissions.keep(entry);
        if (keeping === undefined) return admit(call, record, call.start.startedAt);
        // Another process may have pinned another definition in that moment: then it is asked about.
        return void after(keeping, call, record, decide);
      }
      if (verdict.decision !== "ask")
        return dispatcher.fail(call, record, {
          kind: "denied",
          message: `"${call.start.name}" is not allowed: ${verdict.reason}`,
        });
      ask(call, record, entry, args, verdict, behalf, approve);
    }
  }

  /** Goes on after a look at a file, if the call still waits for it and the world is the same. */
  async function after(
    waiting: Promise<void>,
    call: Call,
    record: ServerRecord,
    next: () => void,
  ): Promise<void> {
    await waiting;
    if (call.state !== "waiting" && call.state !== "deciding") return;
    if (shared.closed !== undefined)
      return dispatcher.fail(call, record, { kind: "unavailable", message: shared.closed });
    const failure = outlived(call, record, shared);
    if (failure === undefined) next();
    else dispatcher.fail(call, record, failure);
  }

  function ask(
    call: Call,
    record: ServerRecord,
    entry: ToolEntry,
    args: unknown,
    verdict: Judgement,
    behalf: CallBehalf | undefined,
    approve: CallOptions["approve"],
  ): void {
    call.step("ask");
    const asked = shared.approvals.ask(
      shared.permissions.question(record, entry, args, verdict, behalf),
      call.start.callId,
      approve,
    );
    if (asked === undefined) {
      return dispatcher.fail(call, record, {
        kind: "overloaded",
        message: `"${call.start.name}" needs an approval, but too many are open; decide some of them first`,
      });
    }
    call.approval = asked.id;
    void goOn(call, record, verdict, asked.verdict);
  }

  async function goOn(
    call: Call,
    record: ServerRecord,
    verdict: Judgement,
    asked: Promise<Verdict>,
  ): Promise<void> {
    const { decision, by } = await asked;
    call.approval = undefined;
    if (call.state !== "deciding") return;
    const now = elapsedOf(shared.clock);
    call.approvalMs = now - call.start.startedAt;
    if (!allows(decision)) return dispatcher.fail(call, record, denial(call, record, by));
    // What the person has seen may have become another tool meanwhile.
    const failure = outlived(call, record, shared);
    if (failure !== undefined) return dispatcher.fail(call, record, failure);
    const { entry } = call.start;
    shared.permissions.remember(entry, verdict, decision, call.behalf);
    const keeping = shared.permissions.keep(entry);
    if (keeping === undefined) return admitNow(call, record);
    await after(keeping, call, record, () => {
      if (shared.permissions.pin(entry) !== "changed") return admitNow(call, record);
      dispatcher.fail(call, record, {
        kind: "denied",
        message: `"${call.start.name}" was not called: another process pinned another definition of it meanwhile; call it again to decide anew`,
      });
    });
  }

  function admitNow(call: Call, record: ServerRecord): void {
    const now = elapsedOf(shared.clock);
    call.restartClock(now);
    admit(call, record, now);
  }

  function admit(call: Call, record: ServerRecord, now: number): void {
    shared.deadlines.add(call);
    dispatcher.admit(call, record, now);
  }

  return permit;
}

function denial(call: Call, record: ServerRecord, by: string): Failure {
  const { name } = call.start;
  const why: Record<string, string> = {
    host: "it was denied",
    timeout: "nobody answered the approval in time",
    cancelled: "the question was withdrawn",
    disconnected: `server "${record.spec.name}" went away while the approval was open`,
    stopped: "the supervisor stopped while the approval was open",
  };
  const kind = by === "stopped" || by === "disconnected" ? "unavailable" : "denied";
  return { kind, message: `"${name}" was not called: ${why[by] ?? by}` };
}
