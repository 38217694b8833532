import type { ToolAnnotations } from "../../protocol/mcp.js";

/**
 * What a person says to a question. Anything else that an `approve` handler gives, an error too, counts as `deny`.
 * docs/permissions.md.
 */
export type Decision =
  /** A call: this once. An entry of a project file: as long as it stays as it is (`approvals.json`). */
  | "allow"
  /** Until the supervisor stops, for this definition of the tool or entry; for a destructive tool the same as `allow`. */
  | "allow-for-session"
  /** The call fails with kind `denied`; a held entry stays held. */
  | "deny";

/** A question to a person: may this call run (or may this entry of a project file start)? */
export interface ApprovalRequest {
  /** `approval-1`, `approval-2` … within one supervisor; what `decide` takes. */
  readonly id: string;
  /** `call`: one tool call waits. `server`: an entry of a project file waits, and no call. */
  readonly kind: "call" | "server";
  /** Id of the server. */
  readonly server: string;
  /** Raw tool name; empty for kind `server`. */
  readonly tool: string;
  /** What to show as the tool's or entry's name; written by the server, hidden characters escaped. */
  readonly title: string;
  /** Masked: values that are known secrets show as `********`. */
  readonly arguments: unknown;
  /** Hints of the server as sent; whether they count is up to the policy. Empty for kind `server`. */
  readonly annotations: ToolAnnotations;
  /** One sentence: which row of the permission table, or which change, asks. */
  readonly reason: string;
  /** The consumer of the gateway that wants it, when one does. */
  readonly consumer?: string;
  /** Field-wise difference to the pinned definition (or approved entry), when that is what is asked about. */
  readonly difference?: readonly {
    /** Name of the field that differs. */
    readonly field: string;
    /** Its value as approved, as text. */
    readonly before: string;
    /** Its value now, as text. */
    readonly after: string;
  }[];
  /** When it was asked, in epoch ms. */
  readonly askedAt: number;
  /** When it ends as denied if nobody answers (`approvalTimeout`), in epoch ms. */
  readonly expiresAt: number;
}
