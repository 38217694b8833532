import type { CallFactBody } from "./callFacts.js";
import type { Cause } from "./errors.js";
import type { LoginFactBody } from "./loginFacts.js";
import type { ServerState } from "./states.js";

export { isServing } from "./states.js";
export type { ServerState } from "./states.js";

/** Facts without their stamp: what a publisher hands to the bus. */
export type FactBody =
  | CallFactBody
  | {
      /** Every change of state of a server. */
      readonly type: "mcp.state";
      /** Id of the server. */
      readonly id: string;
      /** The life it is about: 1, 2, 3 …; 0 before the first. */
      readonly generation: number;
      /** State before; `new` for a server that was just added. */
      readonly from: ServerState | "new";
      /** State now. */
      readonly to: ServerState;
      /** Why. */
      readonly cause: Cause;
      /** When it is tried again by itself, in epoch ms, if that is planned. */
      readonly nextAttemptAt?: number;
    }
  | {
      /** A server has become ready, or a new life has taken over. */
      readonly type: "mcp.connected";
      /** Id of the server. */
      readonly id: string;
      /** Its display name. */
      readonly name: string;
      /** The life that serves now. */
      readonly generation: number;
      /** How many tools it offers. */
      readonly tools: number;
      /** Revision of MCP that was agreed on. */
      readonly protocolVersion: string;
      /** What the server says it is. */
      readonly server: {
        /** Its name for programs. */
        readonly name: string;
        /** Its version. */
        readonly version: string;
      };
    }
  | {
      /** A ready server is not ready any more, whatever the reason. */
      readonly type: "mcp.disconnected";
      /** Id of the server. */
      readonly id: string;
      /** Its display name. */
      readonly name: string;
      /** Why. */
      readonly reason: Cause;
    }
  | {
      /** A life ended by a fault, could not begin, or could not replace another: once per kind until it serves again. */
      readonly type: "mcp.error";
      /** Id of the server; empty for a fault of the supervisor itself. */
      readonly id: string;
      /** Its display name. */
      readonly name: string;
      /** What happened. */
      readonly error: Cause;
    }
  | {
      /** A server is gone for good. */
      readonly type: "mcp.retired";
      /** Id of the server. */
      readonly id: string;
    }
  | {
      /** The offered tools of a server have changed. */
      readonly type: "mcp.tools";
      /** Id of the server. */
      readonly id: string;
      /** Public names that came. */
      readonly added: readonly string[];
      /** Public names that went. */
      readonly removed: readonly string[];
      /** Public names that stand for another definition. */
      readonly changed: readonly string[];
    }
  | {
      /** The server told that a list of it has changed, whether or not it reads otherwise now. */
      readonly type: "mcp.lists";
      /** Server id. */
      readonly id: string;
      /** Which list. */
      readonly list: "tools" | "resources" | "prompts";
    }
  | {
      /** A person is asked. */
      readonly type: "mcp.approval.requested";
      /** Id of the question. */
      readonly approval: string;
      /** Id of the call that waits; absent for an entry of a project file. */
      readonly call?: string;
      /** Id of the server. */
      readonly id: string;
      /** Raw tool name; absent for an entry. */
      readonly tool?: string;
      /** Why it is asked. */
      readonly reason: string;
    }
  | {
      /** A question was answered, or ended otherwise. */
      readonly type: "mcp.approval.decided";
      /** Id of the question. */
      readonly approval: string;
      /** Id of the server. */
      readonly id: string;
      /** What was decided. */
      readonly decision: "allow" | "allow-for-session" | "allow-for-good" | "deny";
      /** Who ended it: the host, its time, the caller, the end of the server, or the end of the supervisor. */
      readonly by: "host" | "timeout" | "cancelled" | "disconnected" | "stopped";
    }
  | LoginFactBody
  | {
      /** A changed configuration was applied, or could not be. */
      readonly type: "mcp.config";
      /** The files that had changed, with commas between them. */
      readonly file: string;
      /** Ids of servers that came. */
      readonly added: readonly string[];
      /** Ids of servers that went. */
      readonly removed: readonly string[];
      /** Ids of servers with another entry. */
      readonly changed: readonly string[];
      /** What is wrong in the files, one text each, with the place. */
      readonly errors: readonly string[];
    }
  | {
      /** An oddity worth telling, once per kind, or a log message of a server. */
      readonly type: "mcp.log";
      /** Id of the server; empty for the supervisor itself. */
      readonly id: string;
      /** How much it matters. */
      readonly level: "debug" | "info" | "warning" | "error";
      /** One text, masked. */
      readonly message: string;
    };

/** A fact: told after it happened, never changed. No secrets, arguments or results are in it. docs/events.md. */
export type Fact = FactBody & {
  /** Counts from 1 without gaps within one supervisor. */
  readonly seq: number;
  /** When it happened, in epoch ms. */
  readonly at: number;
};

/** What a fact can be about. */
export type FactType = Fact["type"];

/** The facts of one type, such as `FactOf<"mcp.call.settled">`. */
export type FactOf<T extends FactType> = Extract<Fact, Readonly<Record<"type", T>>>;

/** Orders: what somebody wants to happen. They live on the same bus, apart from the facts. */
export type Order =
  | { readonly type: "server.wake"; readonly id: string }
  | { readonly type: "server.connect"; readonly id: string }
  | { readonly type: "server.disconnect"; readonly id: string }
  | { readonly type: "server.restart"; readonly id: string };
