import type { ServerSpec } from "../../spec.js";
import { permission } from "../../policy/permission.js";
import type { PermissionMode, PermissionQuestion, PermissionVerdict } from "../../policy/permission.js";
import type { PinDifference } from "../../policy/pins.js";
import { maskDeep } from "../../policy/secrets.js";
import type { ToolEntry } from "../../tools/catalog.js";
import { escapeDeep, escapeHidden } from "../../hiddenText.js";
import { noRemedies, remediesOf } from "../../policy/remedies.js";
import type { CallBehalf } from "../contract/calls.js";
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
  const session = new WeakMap<ToolEntry, Set<string>>();
  // The table's answer depends on nothing but these two, and calls come by the thousand.
  const tables = new Map<PermissionMode | undefined, WeakMap<ToolEntry, Known>>();

  /** What is known for calls in this mode. */
  function knownIn(of: PermissionMode | undefined): WeakMap<ToolEntry, Known> {
    const known = tables.get(of) ?? new WeakMap<ToolEntry, Known>();
    tables.set(of, known);
    return known;
  }
  const hostKnown = knownIn(mode);
  let remembers = 0;

  function decide(record: ServerRecord, entry: ToolEntry, behalf?: CallBehalf): Judgement {
    const known = behalf?.mode === undefined ? hostKnown : knownIn(behalf.mode);
    const told = known.get(entry);
    if (told?.isFree === true && told.spec === record.spec) return told.verdict;
    const verdict = judge(record, entry, behalf);
    if (verdict.decision !== "allow") return verdict;
    if (pins.keep(entry) !== undefined) return verdict;
    const now = known.get(entry);
    if (now?.verdict === verdict) now.isFree = true;
    return verdict;
  }

  function judge(record: ServerRecord, entry: ToolEntry, behalf?: CallBehalf): Judgement {
    const { spec } = record;
    const own = behalf?.mode ?? mode;
    const told = knownIn(own).get(entry);
    const verdict = told?.spec === spec ? told.verdict : fromTable(spec, entry, own);
    if (verdict.decision === "hidden") return verdict;
    const pin = pins.judge(entry);
    if (pin.kind === "changed") return changed(pin.difference);
    return verdict.decision === "ask" &&
      verdict.rememberable &&
      session.get(entry)?.has(behalf?.consumer ?? "") === true
      ? remembered
      : verdict;
  }

  function fromTable(spec: ServerSpec, entry: ToolEntry, own: PermissionMode | undefined): PermissionVerdict {
    const verdict = permission(questionOf(spec, entry, own));
    knownIn(own).set(entry, { spec, verdict, isFree: false });
    return verdict;
  }

  return {
    decide,
    question(record, entry, args, { reason, difference, rememberable }, behalf) {
      const { tool } = entry;
      return {
        kind: "call",
        server: record.id,
        tool: tool.name,
        title: record.mask(escapeHidden(tool.title ?? tool.annotations?.title ?? tool.name)),
        arguments: maskDeep(args, record.mask),
        annotations: escapeDeep(tool.annotations) ?? {},
        reason,
        ...(behalf === undefined ? {} : { consumer: behalf.consumer }),
        answers: rememberable ? ["allow", "allow-for-session", "deny"] : ["allow", "deny"],
        // No setting makes a tool what it was when it was first used.
        remedies:
          difference === undefined
            ? remediesOf(questionOf(record.spec, entry, behalf?.mode ?? mode))
            : noRemedies,
        ...(difference === undefined ? {} : { difference: difference.map(shownDifference) }),
      };
    },
    remember(entry, verdict, decision, behalf) {
      if (decision !== "allow-for-session" || !verdict.rememberable) return;
      const names = session.get(entry) ?? new Set();
      session.set(entry, names.add(behalf?.consumer ?? ""));
      remembers++;
    },
    shown(record, entry) {
      const { decision } = judge(record, entry);
      return decision === "hidden" ? "deny" : decision;
    },
    pin: (entry) => pins.shown(entry),
    look: (entry) => pins.look(entry),
    keep: (entry) => pins.keep(entry),
    revision: () => remembers + pins.revision(),
  };
}

/** What the table is asked about one call. */
function questionOf(spec: ServerSpec, entry: ToolEntry, own: PermissionMode | undefined): PermissionQuestion {
  return {
    mode: own,
    trusted: spec.trusted,
    dialect: spec.dialect,
    tool: entry.tool.name,
    annotations: entry.tool.annotations,
    autoApprove: spec.autoApprove,
    excluded: entry.excluded,
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
