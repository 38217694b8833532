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
      /** How long it waited for a person, its server or a place, in milliseconds. */
      readonly queuedMs: number;
      /** How long it took from begin to end, in milliseconds. */
      readonly durationMs: number;
      /** Length of the result's text, in UTF-16 code units. */
      readonly resultChars: number;
      /** The consumer of the gateway that called, where one did. */
      readonly consumer?: string;
      /** Its session. */
      readonly session?: string;
      /** Name and version of its program, as it says. */
      readonly host?: string;
    };
