import type { Failure, Sent } from "../errors.js";
import type { ContentBlock, ToolAnnotations } from "../protocol/mcp.js";

/** Facts about one call that every result carries. Times in milliseconds. */
export interface CallInfo {
  readonly id: string;
  /** Server id and raw tool name; empty when the public name is unknown. */
  readonly server: string;
  readonly tool: string;
  /** The public name that was called. */
  readonly name: string;
  readonly queuedMs: number;
  readonly durationMs: number;
  readonly sent: Sent;
}

interface ResultBase {
  /** What a model reads: capped text of the whole result. */
  readonly text: string;
  /** The raw blocks, for hosts that show images. */
  readonly content: readonly ContentBlock[];
  readonly structured?: unknown;
  readonly warnings: readonly string[];
  readonly call: CallInfo;
}

/** The one and only outcome of a call; JSON-safe; never thrown. */
export type ToolResult =
  | (ResultBase & { readonly ok: true })
  | (ResultBase & { readonly ok: false; readonly failure: Failure });

/** What the policy says about a tool now, before a person is asked. */
export type Permission = "allow" | "ask" | "deny";

/** A tool as an agent sees it. */
export interface ToolDescriptor {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations: ToolAnnotations;
  readonly permission: Permission;
  readonly pin: "new" | "pinned" | "changed";
  /** True while the tool comes from the catalog of an earlier session. */
  readonly cached?: boolean;
}
