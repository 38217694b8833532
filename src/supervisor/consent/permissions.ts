import type { ServerSpec } from "../../spec.js";
import { permission } from "../../policy/permission.js";
import type { PermissionMode, PermissionVerdict } from "../../policy/permission.js";
import type { PinDifference } from "../../policy/pins.js";
import { maskDeep } from "../../policy/secrets.js";
import type { ToolEntry } from "../../tools/catalog.js";
import { escapeHidden } from "../../tools/hiddenText.js";
import type { Judgement, Permissions } from "../state/consent.js";
import type { Pins } from "./pins.js";
import type { ServerRecord } from "../state/serverRecord.js";

interface Known {
  readonly spec: ServerSpec;
  readonly verdict: PermissionVerdict;
  /** Allowed, and pinned to the very definition: nothing can change that for this entry and spec. */
  isFree: boolean;
}

const remembered: Judgement = { decision: "allow", rememberable: false, reason: "allowed for this session" };

export function createPermissions(mode: PermissionMode | undefined, pins: Pins): Permissions {
  // Keyed by the entry object: another definition is another object, and is asked about again.
  const session = new WeakSet<ToolEntry>();
  // The table's answer depends on nothing but these two, and calls come by the thousand.
  const known = new WeakMap<ToolEntry, Known>();

  function decide(record: ServerRecord, entry: ToolEntry): Judgement {
    const told = known.get(entry);
    if (told?.isFree === true && told.spec === record.spec) return told.verdict;
    const verdict = judge(record, entry);
    if (verdict.decision !== "allow") return verdict;
    pins.keep(entry);
    const now = known.get(entry);
    if (now?.verdict === verdict) now.isFree = true;
    return verdict;
  }

  function judge(record: ServerRecord, entry: ToolEntry): Judgement {
    const { spec } = record;
    const told = known.get(entry);
    const verdict = told?.spec === spec ? told.verdict : fromTable(spec, entry);
    if (verdict.decision === "hidden") return verdict;
    const pin = pins.judge(entry);
    if (pin.kind === "changed") return changed(pin.difference);
    return verdict.decision === "ask" && verdict.rememberable && session.has(entry) ? remembered : verdict;
  }

  function fromTable(spec: ServerSpec, entry: ToolEntry): PermissionVerdict {
    const verdict = permission({
      mode,
      trusted: spec.trusted,
      dialect: spec.dialect,
      tool: entry.tool.name,
      annotations: entry.tool.annotations,
      autoApprove: spec.autoApprove,
      excluded: entry.excluded,
    });
    known.set(entry, { spec, verdict, isFree: false });
    return verdict;
  }

  return {
    decide,
    question(record, entry, args, { reason, difference }) {
      const { tool } = entry;
      return {
        kind: "call",
        server: record.id,
        tool: tool.name,
        title: escapeHidden(tool.title ?? tool.annotations?.title ?? tool.name),
        arguments: maskDeep(args, record.mask),
        annotations: tool.annotations ?? {},
        reason,
        ...(difference === undefined ? {} : { difference: difference.map(shownDifference) }),
      };
    },
    remember(entry, verdict, decision) {
      pins.keep(entry);
      if (decision === "allow-for-session" && verdict.rememberable) session.add(entry);
    },
    shown(record, entry) {
      const { decision } = judge(record, entry);
      return decision === "hidden" ? "deny" : decision;
    },
    pin: (entry) => pins.shown(entry),
  };
}

function changed(difference: readonly PinDifference[]): Judgement {
  const fields = difference.map((each) => each.field).join(", ");
  return {
    decision: "ask",
    rememberable: false,
    reason: `definition changed (${fields}): it is not what it was when the tool was first used`,
    difference,
  };
}

function shownDifference({ field, before, after }: PinDifference): PinDifference {
  return { field, before: escapeHidden(before), after: escapeHidden(after) };
}
