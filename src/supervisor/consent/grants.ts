import { sameContent } from "../../config/files/content.js";
import type { ApprovalRecord } from "../../config/entries/approval.js";
import type { Cause } from "../../errors.js";
import type { ServerSpec } from "../../spec.js";

/** Approvals of project entries that are not kept: for one life, or for this session. */
export interface Grants {
  add(id: string, record: ApprovalRecord, span: Grant["span"]): void;
  forget(id: string): void;
  records(): readonly ApprovalRecord[];
  /**
   * The last door before a life begins: why this one must not, or undefined. What was allowed once lets one generation
   * begin; and a file of the project must still be what was approved, whatever approval there is.
   */
  permit(spec: ServerSpec, generation: number): Promise<Cause | undefined>;
  /** Told when a life was refused; `isSpent` when what was allowed once was used up. */
  onRefused(listener: (id: string, isSpent: boolean) => void): void;
}

interface Grant {
  readonly record: ApprovalRecord;
  readonly span: "one life" | "session";
  /** The life that it was given for, once that has begun. */
  generation: number | undefined;
}

export function createGrants(): Grants {
  const grants = new Map<string, Grant>();
  const listeners = new Set<(id: string, isSpent: boolean) => void>();

  function refuse({ id, name }: ServerSpec, isSpent: boolean, why: string): Cause {
    for (const listener of listeners) listener(id, isSpent);
    return { kind: "approval-needed", message: `"${name}" comes from a project file and ${why}` };
  }

  return {
    add: (id, record, span) => void grants.set(id, { record, span, generation: undefined }),
    forget: (id) => void grants.delete(id),
    records: () => [...grants.values()].map((each) => each.record),
    async permit(spec, generation) {
      const { id, scope, file, target, approved } = spec;
      if (scope !== "project" || file === undefined) return undefined;
      if (target.kind === "stdio" && !(await sameContent(file, target)))
        return refuse(spec, false, "a file that it runs has changed since it was approved");
      const grant = grants.get(id);
      if (grant === undefined || grant.span === "session" || grant.record.hash !== approved) return undefined;
      grant.generation ??= generation;
      if (grant.generation === generation) return undefined;
      grants.delete(id);
      return refuse(spec, true, "was allowed once: another life waits for your approval");
    },
    onRefused: (listener) => void listeners.add(listener),
  };
}
