import type { PermissionMode } from "../../policy/permission.js";
import type { ToolAnnotations } from "../../protocol/mcp.js";

/**
 * What a person says to a question. Anything that is none of these words counts as `deny`: other spellings, booleans and
 * errors of a host in plain JavaScript too. docs/permissions.md.
 */
export type Decision =
  /** A call: this once. An entry of a project file: one life of it. */
  | "allow"
  /** Until the supervisor stops, for this definition of the tool or entry; for a destructive tool the same as `allow`. */
  | "allow-for-session"
  /** Entries of project files only: this version, in later sessions too (`approvals.json`). Of a call the same as `deny`. */
  | "allow-for-good"
  /** The call fails with kind `denied`; a held entry stays held. */
  | "deny";

/**
 * What a handler of questions returns: a decision, now or later. Of a promise only words count that are decisions
 * (`async () => "allow"` is a promise of text to a compiler); anything else denies.
 */
export type Answer = Decision | Promise<Decision> | Promise<string>;

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
  /**
   * Masked: values that are known secrets show as `********`. For kind `server` what would run (`command`, lines of text
   * as written in the file), or the variables that would make it load code (`env`).
   */
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
  /** The answers that make a difference here, the narrowest first and `deny` last: what to offer to a person. */
  readonly answers: readonly Decision[];
  /** What would let such a call run without a question, by the permission table; nothing for destructive tools. */
  readonly remedies: {
    /** Whether it would help to list the tool in `auto_approve` of its server. */
    readonly autoApprove: boolean;
    /** The modes in which it would run. */
    readonly modes: readonly PermissionMode[];
  };
  /** When it was asked, in epoch ms. */
  readonly askedAt: number;
  /** When it ends as denied if nobody answers (`approvalTimeout`), in epoch ms. */
  readonly expiresAt: number;
}
