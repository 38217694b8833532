import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  permission,
  permissionColumns,
  permissionModes,
  permissionTable,
} from "../../src/policy/permission.js";
import type { PermissionColumn, PermissionQuestion } from "../../src/policy/permission.js";
import { remediesOf } from "../../src/policy/remedies.js";

const dialects = ["settings", "mcpServers"] as const;
const hints = [undefined, true, false, "true"] as const;
const yesNo = [true, false] as const;
const doc = resolve(import.meta.dirname, "../../docs/permissions.md");

function question(more: Partial<PermissionQuestion> = {}): PermissionQuestion {
  return {
    mode: undefined,
    dialect: "settings",
    trusted: true,
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

/** The rules of both kinds of file and of the modes once more, as sentences of code: what may run unasked. */
const runs: Record<
  PermissionColumn,
  (of: { listed: boolean; reads: boolean; harmless: boolean }) => boolean
> = {
  settings: ({ listed }) => listed,
  mcpServers: ({ listed, reads, harmless }) => listed || reads || harmless,
  ask: ({ listed }) => listed,
  "allow-reads": ({ listed, reads }) => listed || reads,
  "allow-all": ({ listed, reads }) => listed || reads,
  "allow-trusted": () => true,
};

function expected({ mode, dialect, trusted, annotations, autoApprove, excluded }: PermissionQuestion) {
  const { readOnlyHint, destructiveHint } = annotations ?? {};
  if (excluded) return ["hidden", false];
  if (destructiveHint === true) return ["ask", false];
  const of = {
    listed: autoApprove.length > 0,
    reads: readOnlyHint === true,
    harmless: destructiveHint === false,
  };
  return trusted && runs[mode ?? dialect](of) ? ["allow", false] : ["ask", true];
}

const everything = [undefined, ...permissionModes].flatMap((mode) =>
  dialects.flatMap((dialect) =>
    yesNo.flatMap((trusted) =>
      hints.flatMap((readOnlyHint) =>
        hints.flatMap((destructiveHint) =>
          yesNo.flatMap((excluded) =>
            [[], ["read"], ["*"]].map((autoApprove) =>
              question({
                mode,
                dialect,
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

/** The table as docs/permissions.md prints it. */
function printed(): string {
  const names: Partial<Record<PermissionColumn, string>> = {
    settings: "no mode, settings.json",
    mcpServers: "no mode, `mcpServers`",
  };
  const cell = { hidden: "not offered", ask: "ask", allow: "allow" };
  const rows = permissionTable.map(({ about, decisions, reason, rememberable }) => [
    about,
    ...permissionColumns.map((column) => cell[decisions[column]]),
    rememberable ? "yes" : "no",
    reason,
  ]);
  const head = [
    "",
    ...permissionColumns.map((column) => names[column] ?? `\`${column}\``),
    "remembered",
    "why",
  ];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

describe("permissions", () => {
  it("decide every combination as the rules say", () => {
    const wrong = everything.filter((each) => {
      const { decision, rememberable } = permission(each);
      const [wanted, remember] = expected(each);
      return decision !== wanted || rememberable !== remember;
    });

    expect(everything).toHaveLength(1920);
    expect(wrong).toEqual([]);
  });

  it("stand in docs/permissions.md as the table has them (UPDATE_DOCS=1 writes it)", () => {
    const text = readFileSync(doc, "utf8");
    const section = /(<!-- table -->\n)[\s\S]*?(\n<!-- end of table -->)/;
    const updated = text.replace(
      section,
      (_, begin: string, end: string) => `${begin}\n${printed()}\n${end}`,
    );
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(doc, updated);

    expect(section.test(text)).toBe(true);
    expect(readFileSync(doc, "utf8")).toBe(updated);
  });

  it("let destructive tools run in no column, whatever is listed", () => {
    const destructive = everything.filter((each) => each.annotations?.destructiveHint === true);

    expect(destructive.filter((each) => permission(each).decision === "allow")).toEqual([]);
    expect(destructive.filter((each) => permission(each).rememberable)).toEqual([]);
  });

  it("ask no less in a mode than in one that is meant to be wider", () => {
    const order = ["ask", "allow-reads", "allow-all", "allow-trusted"] as const;
    const allows = (mode: (typeof order)[number]) =>
      everything.filter((each) => permission({ ...each, mode }).decision === "allow");

    for (const [at, mode] of order.slice(1).entries()) {
      expect(allows(order[at]!).filter((each) => !allows(mode).includes(each))).toEqual([]);
    }
  });

  it.each([
    [{ excluded: true, autoApprove: ["read"] }, "excluded"],
    [{ annotations: { destructiveHint: true }, autoApprove: ["read"] }, "destructive"],
    [{ trusted: false, autoApprove: ["read"] }, "untrusted"],
    [{ autoApprove: ["read"] }, "auto-approved"],
    [{ annotations: { readOnlyHint: true } }, "read-only"],
    [{ annotations: { destructiveHint: false } }, "harmless"],
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

describe("what would let a call run unasked", () => {
  it("is named exactly when the table agrees", () => {
    for (const each of everything) {
      const { autoApprove, modes } = remediesOf(each);

      expect(permission({ ...each, autoApprove: [each.tool] }).decision === "allow").toBe(autoApprove);
      expect(permissionModes.filter((mode) => permission({ ...each, mode }).decision === "allow")).toEqual(
        modes,
      );
    }
  });

  it("is nothing for destructive tools and for untrusted servers", () => {
    const nothing = { autoApprove: false, modes: [] };

    expect(remediesOf(question({ annotations: { destructiveHint: true } }))).toEqual(nothing);
    expect(remediesOf(question({ trusted: false }))).toEqual(nothing);
    expect(remediesOf(question())).toEqual({ autoApprove: true, modes: ["allow-trusted"] });
    expect(remediesOf(question({ annotations: { readOnlyHint: true } })).modes).toEqual([
      "allow-reads",
      "allow-all",
      "allow-trusted",
    ]);
  });
});
