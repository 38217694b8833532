import { describe, expect, it } from "vitest";
import { byMode } from "../../src/policy/modes.js";
import { permission, permissionTable } from "../../src/policy/permission.js";
import type { PermissionQuestion } from "../../src/policy/permission.js";

const modes = ["ask", "allow-reads", "allow-all"] as const;
const scopes = ["inline", "settings", "user", "project", "builtin"] as const;
const hints = [undefined, true, false, "true"] as const;
const yesNo = [true, false] as const;

function question(more: Partial<PermissionQuestion> = {}): PermissionQuestion {
  return {
    mode: "ask",
    trusted: true,
    scope: "user",
    tool: "read",
    annotations: {},
    autoApprove: [],
    excluded: false,
    ...more,
  };
}

function decide(tool: string, autoApprove: string[]): string {
  return permission(question({ tool, autoApprove })).decision;
}

/** The table of docs/permissions.md once more, as one sentence of code. */
function expected({ mode, trusted, scope, annotations, autoApprove, excluded }: PermissionQuestion) {
  const { readOnlyHint: reads, destructiveHint: destroys } = annotations ?? {};
  if (excluded) return ["hidden", false];
  if (destroys === true) return ["ask", false];
  if (!trusted) return ["ask", true];
  if (autoApprove.length > 0) return ["allow", false];
  if (scope === "project" && (reads === true || destroys === false)) return ["allow", false];
  if (mode === "allow-all") return ["allow", false];
  if (reads === true && mode !== "ask") return ["allow", false];
  return ["ask", true];
}

const everything = modes.flatMap((mode) =>
  scopes.flatMap((scope) =>
    yesNo.flatMap((trusted) =>
      hints.flatMap((readOnlyHint) =>
        hints.flatMap((destructiveHint) =>
          yesNo.flatMap((excluded) =>
            [[], ["read"]].map((autoApprove) =>
              question({
                mode,
                scope,
                trusted,
                excluded,
                autoApprove,
                annotations: { readOnlyHint, destructiveHint } as PermissionQuestion["annotations"],
              }),
            ),
          ),
        ),
      ),
    ),
  ),
);

describe("permissions", () => {
  it("decide every combination as the table says", () => {
    const wrong = everything.filter((each) => {
      const { decision, rememberable } = permission(each);
      const [wanted, remember] = expected(each);
      return decision !== wanted || rememberable !== remember;
    });

    expect(everything).toHaveLength(1920);
    expect(wrong).toEqual([]);
  });

  it("hold the table as data", () => {
    const rows = permissionTable.map(({ name, decisions: { ask, ...others } }) => {
      return [name, ask, others["allow-reads"], others["allow-all"]];
    });

    expect(rows).toEqual([
      ["excluded", "hidden", "hidden", "hidden"],
      ["destructive", "ask", "ask", "ask"],
      ["untrusted", "ask", "ask", "ask"],
      ["auto-approved", "allow", "allow", "allow"],
      ["trusted-project-read", "allow", "allow", "allow"],
      ["read-only", "ask", "allow", "allow"],
      ["otherwise", "ask", "ask", "allow"],
    ]);
  });

  it.each([
    [{ excluded: true, autoApprove: ["read"] }, "excluded"],
    [{ annotations: { destructiveHint: true }, autoApprove: ["read"] }, "destructive"],
    [{ trusted: false, autoApprove: ["read"] }, "untrusted"],
    [{ autoApprove: ["read"] }, "auto-approved"],
    [{ scope: "project", annotations: { destructiveHint: false } }, "trusted-project-read"],
    [{ annotations: { readOnlyHint: true } }, "read-only"],
    [{ annotations: undefined }, "otherwise"],
  ] as const)("name the row that decided: %j", (more, row) => {
    expect(permission(question(more))).toMatchObject({ row });
  });

  it("match auto_approve with the exact raw name, with case, or * for all", () => {
    expect(decide("delete", ["delete"])).toBe("allow");
    expect(decide("Delete", ["delete"])).toBe("ask");
    expect(decide("delete_all", ["delete"])).toBe("ask");
    expect(decide("mcp_files_delete", ["delete"])).toBe("ask");
    expect(decide("evil__x", ["*"])).toBe("allow");
    expect(decide("delete_all", ["delete*"])).toBe("ask");
  });

  it("give the same verdict object each time, so that a call allocates nothing", () => {
    expect(permission(question())).toBe(permission(question()));
  });
});

describe("the modes alone", () => {
  it.each([
    ["ask", true, true, "ask"],
    ["allow-reads", true, true, "allow"],
    ["allow-reads", false, true, "ask"],
    ["allow-reads", true, false, "ask"],
    ["allow-all", false, false, "allow"],
  ] as const)("%s, trusted %j, read-only %j: %s", (mode, trusted, readOnlyHint, decision) => {
    expect(byMode(question({ mode, trusted, annotations: { readOnlyHint } })).decision).toBe(decision);
  });

  it("never offer what is excluded", () => {
    expect(byMode(question({ mode: "allow-all", excluded: true })).decision).toBe("hidden");
  });
});
