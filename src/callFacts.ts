import type { FailureKind, Sent } from "./errors.js";

/** What is told about the calls of tools. */
export type CallFactBody =
  | {
      /** A call was taken. */
      readonly type: "mcp.call.started";
      /** Id of the call, the same in all its facts. */
      readonly call: string;
      /** Id of the server. */
      readonly id: string;
      /** Raw tool name. */
      readonly tool: string;
      /** Public name that was called. */
      readonly name: string;
      /** Size of its arguments as JSON, in UTF-16 code units. */
      readonly argumentBytes?: number;
      /** The consumer of the gateway that called, where one did. */
      readonly consumer?: string;
      /** Its session. */
      readonly session?: string;
      /** Name and version of its program, as it says. */
      readonly host?: string;
    }
  | {
      /** The tool reported progress (MCP, Utilities / Progress). */
      readonly type: "mcp.call.progress";
      /** Id of the call. */
      readonly call: string;
      /** Id of the server. */
      readonly id: string;
      /** How far it is, in units of its own. */
      readonly progress: number;
      /** How far it has to go, if it knows. */
      readonly total?: number;
      /** Length of the progress text, which is server output and so not told itself. */
      readonly messageChars?: number;
    }
  | {
      /** The one end of a call. */
      readonly type: "mcp.call.settled";
      /** Id of the call. */
      readonly call: string;
      /** Id of the server; empty when the public name is unknown. */
      readonly id: string;
      /** Raw tool name; empty when the public name is unknown. */
      readonly tool: string;
      /** Public name that was called. */
      readonly name: string;
      /** Whether it succeeded. */
      readonly ok: boolean;
      /** Why it failed; absent when it succeeded. */
      readonly failure?: FailureKind;
      /** Whether it reached the server. */
      readonly sent: Sent;
      /** How long it waited for its server or a free place, in milliseconds; part of `durationMs`. */
      readonly queuedMs: number;
      /** How long it took from begin to end, all waiting counted, in milliseconds. */
      readonly durationMs: number;
      /** How long a person took to say whether it may run, in milliseconds; part of `durationMs`. Absent when nobody was asked. */
      readonly approvalMs?: number;
      /** Length of the result's text, in UTF-16 code units. */
      readonly resultChars: number;
      /** The consumer of the gateway that called, where one did. */
      readonly consumer?: string;
      /** Its session. */
      readonly session?: string;
      /** Name and version of its program, as it says. */
      readonly host?: string;
    };

/** What is known of how long a call took; results (`result.call`) and facts of settled calls have it. */
export interface CallTimes {
  /** From begin to end, in milliseconds. */
  readonly durationMs: number;
  /** Of it, the wait for the server or a free place. */
  readonly queuedMs: number;
  /** Of it, the wait for a person. */
  readonly approvalMs?: number;
}

/** How long the server took for a call, in milliseconds: its duration without any waiting. 0 for one that was not sent. */
export function serverMs({ durationMs, queuedMs, approvalMs = 0 }: CallTimes): number {
  return Math.max(0, Math.round((durationMs - queuedMs - approvalMs) * 1000) / 1000);
}

const notTheServers: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "denied",
  "overloaded",
  "cancelled",
  "invalid-arguments",
  "unknown-tool",
  "internal",
]);

/** Whether a failed call is a fault of its server; false for what a person, a limit, the caller or mcpvisor itself ended. */
export function isServerFailure(kind: FailureKind): boolean {
  return !notTheServers.has(kind);
}
