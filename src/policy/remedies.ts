import { permission, permissionModes } from "./permission.js";
import type { PermissionMode, PermissionQuestion } from "./permission.js";

/** What would let a call run without a question: nothing else may be offered to the person who is asked. */
export interface Remedies {
  /** To list the tool in `auto_approve` of its server. */
  readonly autoApprove: boolean;
  /** To set one of these modes. */
  readonly modes: readonly PermissionMode[];
}

/** Asks the table itself, with one thing changed at a time. */
export function remediesOf(question: PermissionQuestion): Remedies {
  const runs = (changed: Partial<PermissionQuestion>): boolean =>
    permission({ ...question, ...changed }).decision === "allow";
  return {
    autoApprove: runs({ autoApprove: [question.tool] }),
    modes: permissionModes.filter((mode) => runs({ mode })),
  };
}

/** For what no setting can help with, such as a tool that became another one. */
export const noRemedies: Remedies = { autoApprove: false, modes: [] };
