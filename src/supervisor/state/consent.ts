import type { PermissionVerdict } from "../../policy/permission.js";
import type { PinDifference } from "../../policy/pins.js";
import type { ToolEntry } from "../../tools/catalog.js";
import type { Permission, ToolDescriptor } from "../../tools/types.js";
import type { CallBehalf } from "../contract/calls.js";
import type { ApprovalRequest, Decision } from "../contract/approvals.js";
import type { CallOptions } from "../contract/calls.js";
import type { ServerRecord } from "./serverRecord.js";

/** Who ended the question. */
export type DecidedBy = "host" | "timeout" | "cancelled" | "disconnected" | "stopped";

export interface Verdict {
  readonly decision: Decision;
  readonly by: DecidedBy;
}

export type Question = Omit<ApprovalRequest, "id" | "askedAt" | "expiresAt">;

export interface Approvals {
  /** Asks the host; settles with its decision, or a denial when nobody answers in time. Undefined: too many open questions. */
  ask(
    question: Question,
    callId?: string,
    approve?: CallOptions["approve"],
  ): { id: string; verdict: Promise<Verdict> } | undefined;
  decide(id: string, decision: Decision, by?: DecidedBy): boolean;
  /** Ends all questions about a server, or all there are. */
  endAll(by: DecidedBy, server?: string): void;
  list(): readonly ApprovalRequest[];
}

/** What decides about one call: the table's verdict, or a definition that is not the pinned one. */
export interface Judgement extends Omit<PermissionVerdict, "row"> {
  readonly difference?: readonly PinDifference[];
}

/** The door between a call and its server: what the policy says, what a person said for this session. */
export interface Permissions {
  /** The judgement of a call that is made now; one that is allowed holds its tool to this definition from then on. */
  decide(record: ServerRecord, entry: ToolEntry, behalf?: CallBehalf): Judgement;
  question(
    record: ServerRecord,
    entry: ToolEntry,
    args: unknown,
    verdict: Judgement,
    behalf?: CallBehalf,
  ): Question;
  /** A person allowed it; "for this session" counts for this consumer alone, or for the host. */
  remember(
    entry: ToolEntry,
    verdict: Judgement,
    decision: Decision,
    behalf?: { readonly consumer: string },
  ): void;
  /** For descriptors: what would happen to a call now. */
  shown(record: ServerRecord, entry: ToolEntry): Permission;
  pin(entry: ToolEntry): ToolDescriptor["pin"];
  /** What has to be waited for before a call is decided about: what other processes have pinned. Undefined: nothing. */
  look(entry: ToolEntry): Promise<void> | undefined;
  /** Holds the tool to this definition. What has to be waited for before the call goes out; undefined: nothing. */
  keep(entry: ToolEntry): Promise<void> | undefined;
  /** Another number after whatever `shown` and `pin` say may have changed, an entry's new spec apart. */
  revision(): number;
}
