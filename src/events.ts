import type { Cause, FailureKind, Sent } from "./errors.js";

/** The states of a server as hosts see them (docs/states.md). */
export type ServerState =
  | "disabled"
  | "idle"
  | "connecting"
  | "initializing"
  | "listing"
  | "ready"
  | "refreshing"
  | "replacing"
  | "draining"
  | "closing"
  | "stuck"
  | "deciding"
  | "reconnecting"
  | "parked"
  | "retired";

const serving: ReadonlySet<ServerState> = new Set(["ready", "refreshing", "replacing"]);

/** Whether a server in this state takes calls. */
export function isServing(state: ServerState | "new"): boolean {
  return serving.has(state as ServerState);
}

/** Facts without their stamp: what a publisher hands to the bus. */
export type FactBody =
  | {
      readonly type: "mcp.state";
      readonly id: string;
      readonly generation: number;
      readonly from: ServerState | "new";
      readonly to: ServerState;
      readonly cause: Cause;
      /** Epoch ms of the next attempt of our own, when one is planned. */
      readonly nextAttemptAt?: number;
    }
  | {
      readonly type: "mcp.connected";
      readonly id: string;
      readonly name: string;
      readonly generation: number;
      readonly tools: number;
      readonly protocolVersion: string;
      readonly server: { readonly name: string; readonly version: string };
    }
  | { readonly type: "mcp.disconnected"; readonly id: string; readonly name: string; readonly reason: Cause }
  | { readonly type: "mcp.error"; readonly id: string; readonly name: string; readonly error: Cause }
  | { readonly type: "mcp.retired"; readonly id: string }
  | {
      readonly type: "mcp.tools";
      readonly id: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly changed: readonly string[];
    }
  | {
      readonly type: "mcp.call.started";
      readonly call: string;
      readonly id: string;
      readonly tool: string;
      readonly name: string;
      readonly argumentBytes?: number;
    }
  | {
      readonly type: "mcp.call.progress";
      readonly call: string;
      readonly id: string;
      readonly progress: number;
      readonly total?: number;
      /** Size only: a progress text is server output. */
      readonly messageChars?: number;
    }
  | {
      readonly type: "mcp.call.settled";
      readonly call: string;
      readonly id: string;
      readonly tool: string;
      readonly name: string;
      readonly ok: boolean;
      readonly failure?: FailureKind;
      readonly sent: Sent;
      readonly queuedMs: number;
      readonly durationMs: number;
      readonly resultChars: number;
    }
  | {
      readonly type: "mcp.approval.requested";
      readonly approval: string;
      readonly call?: string;
      readonly id: string;
      readonly tool?: string;
      readonly reason: string;
    }
  | {
      readonly type: "mcp.approval.decided";
      readonly approval: string;
      readonly id: string;
      readonly decision: "allow" | "allow-for-session" | "deny";
      readonly by: "host" | "timeout" | "cancelled" | "disconnected" | "stopped";
    }
  | {
      readonly type: "mcp.config";
      readonly file: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly changed: readonly string[];
      readonly errors: readonly string[];
    }
  | {
      readonly type: "mcp.log";
      readonly id: string;
      readonly level: "debug" | "info" | "warning" | "error";
      readonly message: string;
    };

/** A fact: told after it happened. `seq` counts from 1 without gaps, `at` is epoch ms. */
export type Fact = FactBody & { readonly seq: number; readonly at: number };
export type FactType = Fact["type"];
export type FactOf<T extends FactType> = Extract<Fact, { type: T }>;

/** Orders: what somebody wants to happen. They live on the same bus, apart from the facts. */
export type Order =
  | { readonly type: "server.wake"; readonly id: string }
  | { readonly type: "server.connect"; readonly id: string }
  | { readonly type: "server.disconnect"; readonly id: string }
  | { readonly type: "server.restart"; readonly id: string };
