import type { ToolAnnotations } from "../../protocol/mcp.js";

export type Decision = "allow" | "allow-for-session" | "deny";

/** A question to a person: may this call run (or may this entry of a project file start)? */
export interface ApprovalRequest {
  readonly id: string;
  readonly kind: "call" | "server";
  readonly server: string;
  /** Raw tool name; empty for kind `server`. */
  readonly tool: string;
  readonly title: string;
  /** Masked: values that are known secrets show as `********`. */
  readonly arguments: unknown;
  readonly annotations: ToolAnnotations;
  readonly reason: string;
  /** Field-wise difference to the pinned definition (or approved entry), when that is what is asked about. */
  readonly difference?: readonly {
    readonly field: string;
    readonly before: string;
    readonly after: string;
  }[];
  /** Epoch ms. */
  readonly askedAt: number;
  readonly expiresAt: number;
}
