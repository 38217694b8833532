import type { Failure, Sent } from "../errors.js";
import type { ContentBlock, ToolAnnotations } from "../protocol/mcp.js";

/** Facts about one call that every result carries. */
export interface CallInfo {
  /** Id of the call, the same in all its facts. */
  readonly id: string;
  /** Id of the server; empty when the public name is unknown. */
  readonly server: string;
  /** Raw tool name; empty when the public name is unknown. */
  readonly tool: string;
  /** The public name that was called. */
  readonly name: string;
  /** How long it waited for its server or a free place, in milliseconds; part of `durationMs`. */
  readonly queuedMs: number;
  /** How long it took from begin to end, all waiting counted, in milliseconds. `serverMs` is what the server took of it. */
  readonly durationMs: number;
  /** How long a person took to say whether it may run, in milliseconds; part of `durationMs`. Absent when nobody was asked. */
  readonly approvalMs?: number;
  /** Whether it reached the server. */
  readonly sent: Sent;
}

/** What every result has, whatever its end. */
export interface ResultBase {
  /** What a model reads: capped text of the whole result. */
  readonly text: string;
  /** The raw blocks as sent, for hosts that show images. Hostile input. */
  readonly content: readonly ContentBlock[];
  /** `structuredContent` of the result (MCP, Tools, Structured Content): any JSON; absent if there was none. */
  readonly structured?: unknown;
  /** What was repaired, coerced or cut, one sentence each. */
  readonly warnings: readonly string[];
  /** Which call it was, and how long it took. */
  readonly call: CallInfo;
  /** The answer as its server gave it; only of a call on somebody's behalf, and only where there was an answer. */
  readonly raw?:
    | {
        /** The result, with its `_meta` and whatever else it holds. */
        readonly result: unknown;
      }
    | {
        /** The error (JSON-RPC 2.0, 5.1). */
        readonly error: {
          /** Number of the kind of error. */
          readonly code: number;
          /** One sentence of the server. */
          readonly message: string;
          /** Whatever the server added. */
          readonly data?: unknown;
        };
      };
}

/** The one and only outcome of a call; JSON-safe; never thrown. */
export type ToolResult =
  | (ResultBase & {
      /** The tool ran and says it succeeded. */
      readonly ok: true;
    })
  | (ResultBase & {
      /** It failed, or was not called at all. */
      readonly ok: false;
      /** Why, and what to do. */
      readonly failure: Failure;
    });

/** What the policy says about a tool now, before a person is asked. */
export type Permission =
  /** It runs. */
  | "allow"
  /** A person is asked first. */
  | "ask"
  /** It is refused. */
  | "deny";

/** A tool as its server lists it, under its public name. */
export interface ToolDefinition {
  /** Public name. */
  readonly name: string;
  /** Server id. */
  readonly server: string;
  /** Its raw name. */
  readonly tool: string;
  /** As listed (MCP, Server Features / Tools). */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** A tool as an agent sees it. */
export interface ToolDescriptor {
  /** Public name: what `callTool` takes. 1 to 64 characters of `a-z A-Z 0-9 _ -`. */
  readonly name: string;
  /** Id of the server. */
  readonly server: string;
  /** Raw name, as the server writes it. */
  readonly tool: string;
  /** Name for people, hidden characters escaped. */
  readonly title: string;
  /** Text for models: `[MCP <server>] …`, hidden characters escaped, cut at 16 KiB. */
  readonly description: string;
  /** JSON Schema of its arguments, as the server sent it (draft 2020-12 unless it says otherwise). */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** JSON Schema of its structured result, as sent, if it has one. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Hints of the server about it, as sent; whether they count is up to the policy. */
  readonly annotations: ToolAnnotations;
  /** What the policy says about it now. */
  readonly permission: Permission;
  /**
   * `new`: never called. `pinned`: as it was at its first call. `changed`: another definition, so its calls ask
   * (docs/permissions.md, Pins).
   */
  readonly pin: "new" | "pinned" | "changed";
  /** True while the tool comes from the catalog of an earlier session. */
  readonly cached?: boolean;
}
