import type { PermissionQuestion, PermissionVerdict } from "./permission.js";

/** A decision that can be exchanged: the table (permission.ts), or the modes alone (modes.ts). */
export type PermissionRule = (question: PermissionQuestion) => PermissionVerdict;

/**
 * The modes taken at their word, for hosts that want no table: `allow-all` allows everything that is offered,
 * `allow-reads` the read-only tools of trusted servers, all else is asked about.
 */
export const byMode: PermissionRule = ({ mode, trusted, annotations, excluded }) => {
  if (excluded) return hidden;
  if (mode === "allow-all") return allowed;
  return mode === "allow-reads" && trusted && annotations?.readOnlyHint === true ? allowed : asked;
};

const hidden: PermissionVerdict = {
  decision: "hidden",
  row: "excluded",
  rememberable: false,
  reason: "a rule of the configuration withholds this tool",
};
const allowed: PermissionVerdict = {
  decision: "allow",
  row: "otherwise",
  rememberable: false,
  reason: "the mode allows it",
};
const asked: PermissionVerdict = {
  decision: "ask",
  row: "otherwise",
  rememberable: true,
  reason: "the mode asks about it",
};
