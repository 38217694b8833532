import { maskDeep } from "../policy/secrets.js";
import { permission } from "../policy/permission.js";
import type { PermissionVerdict } from "../policy/permission.js";
import type { ToolEntry } from "../tools/catalog.js";
import type { Permission, ToolDescriptor } from "../tools/types.js";
import type { Question } from "./approvals.js";
import type { Decision, PermissionMode } from "./types.js";
import type { Unit } from "./unit.js";

/** The door between a call and its server: what the policy says, what a person said for this session. */
export interface Permissions {
  judge(unit: Unit, entry: ToolEntry): PermissionVerdict;
  question(unit: Unit, entry: ToolEntry, args: unknown, verdict: PermissionVerdict): Question;
  remember(unit: Unit, entry: ToolEntry, verdict: PermissionVerdict, decision: Decision): void;
  /** For descriptors: what would happen to a call now. */
  shown(unit: Unit, entry: ToolEntry): Permission;
  pin(unit: Unit, entry: ToolEntry): ToolDescriptor["pin"];
}

const remembered: PermissionVerdict = {
  decision: "allow",
  row: "otherwise",
  rememberable: false,
  reason: "allowed for this session",
};

export function createPermissions(mode: PermissionMode): Permissions {
  // Keyed by the entry object: another definition is another object, and is asked about again.
  const session = new WeakSet<ToolEntry>();

  function judge(unit: Unit, entry: ToolEntry): PermissionVerdict {
    const { spec } = unit;
    const verdict = permission({
      mode,
      trusted: spec.trusted,
      scope: spec.scope,
      tool: entry.tool.name,
      annotations: entry.tool.annotations,
      autoApprove: spec.autoApprove,
      excluded: entry.excluded,
    });
    return verdict.decision === "ask" && verdict.rememberable && session.has(entry) ? remembered : verdict;
  }

  return {
    judge,
    question(unit, entry, args, verdict) {
      const { tool } = entry;
      return {
        kind: "call",
        server: unit.id,
        tool: tool.name,
        title: tool.title ?? tool.annotations?.title ?? tool.name,
        arguments: maskDeep(args, unit.mask),
        annotations: tool.annotations ?? {},
        reason: verdict.reason,
      };
    },
    remember(_unit, entry, verdict, decision) {
      if (decision === "allow-for-session" && verdict.rememberable) session.add(entry);
    },
    shown(unit, entry) {
      const { decision } = judge(unit, entry);
      return decision === "hidden" ? "deny" : decision;
    },
    pin: () => "new",
  };
}
