import type { Fact } from "../events.js";

/** Whose call it is, as the catalog keeps it: a ToolEntry fits. */
export interface CallRoute {
  /** Public name. */
  readonly name: string;
  /** Server id. */
  readonly server: string;
  readonly tool: { readonly name: string };
}

/** What tells one call's good way from another's; one record of it is no object until somebody reads the fact. */
export interface CallNote {
  readonly kind: "started" | "settled";
  readonly route: CallRoute;
  /** The n-th call of this supervisor. */
  readonly count: number;
  /** `argumentBytes` of a start, `resultChars` of an end. */
  readonly size: number;
  readonly queuedMs: number;
  readonly durationMs: number;
  readonly behalf?: CallBehalf | undefined;
}

/** Who called, where it was a consumer of the gateway. */
export interface CallBehalf {
  readonly consumer: string;
  readonly session?: string;
  readonly host?: string;
}

/** The members that name a caller in a fact. */
export function behalfMembers(behalf: CallBehalf | undefined): Partial<CallBehalf> {
  if (behalf === undefined) return {};
  const { consumer, session, host } = behalf;
  return {
    consumer,
    ...(session === undefined ? {} : { session }),
    ...(host === undefined ? {} : { host }),
  };
}

/** The id of the n-th call of a supervisor. */
export function callIdOf(count: number): string {
  return `call-${count}`;
}

/** The fact that a note stands for. */
export function callFact(note: CallNote, seq: number, at: number): Fact {
  const { kind, route, count, size, queuedMs, durationMs } = note;
  const call = callIdOf(count);
  const id = route.server;
  const tool = route.tool.name;
  const { name } = route;
  const who = behalfMembers(note.behalf);
  return kind === "started"
    ? { type: "mcp.call.started", call, id, tool, name, argumentBytes: size, ...who, seq, at }
    : {
        type: "mcp.call.settled",
        call,
        id,
        tool,
        name,
        ok: true,
        sent: "yes",
        queuedMs,
        durationMs,
        resultChars: size,
        ...who,
        seq,
        at,
      };
}
