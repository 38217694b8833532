import type { Scope } from "../spec.js";
import type { ToolAnnotations } from "../protocol/mcp.js";

/** What may run without a person being asked. */
export type PermissionMode = "ask" | "allow-reads" | "allow-all";

/** What is known about one call before it may run. Records of the engine fit without a copy. */
export interface PermissionQuestion {
  readonly mode: PermissionMode;
  readonly trusted: boolean;
  readonly scope: Scope;
  /** Raw tool name, as the server names it. */
  readonly tool: string;
  readonly annotations: ToolAnnotations | undefined;
  /** Raw tool names that run without asking; exact, with case. `*` alone stands for every tool of the server. */
  readonly autoApprove: readonly string[];
  /** Withheld by `tools.exclude`, or not in `tools.include`. */
  readonly excluded: boolean;
}

/** The answer of one row. `hidden`: not offered, and refused when called all the same. */
export interface PermissionVerdict {
  readonly decision: "allow" | "ask" | "hidden";
  readonly row: PermissionRow["name"];
  /** Whether "allow for this session" may answer the next question about the same tool. */
  readonly rememberable: boolean;
  /** Why, in words for the person who is asked. */
  readonly reason: string;
}

interface PermissionRow {
  readonly name:
    | "excluded"
    | "destructive"
    | "untrusted"
    | "auto-approved"
    | "trusted-project-read"
    | "read-only"
    | "otherwise";
  readonly applies: (question: PermissionQuestion) => boolean;
  readonly decisions: Readonly<Record<PermissionMode, PermissionVerdict["decision"]>>;
  readonly rememberable: boolean;
  readonly reason: string;
}

/** The table of permissions (docs/permissions.md): the first row that applies decides. */
export const permissionTable: readonly PermissionRow[] = [
  {
    name: "excluded",
    applies: (question) => question.excluded,
    decisions: { ask: "hidden", "allow-reads": "hidden", "allow-all": "hidden" },
    rememberable: false,
    reason: "a rule of the configuration withholds this tool",
  },
  {
    name: "destructive",
    applies: (question) => question.annotations?.destructiveHint === true,
    decisions: { ask: "ask", "allow-reads": "ask", "allow-all": "ask" },
    rememberable: false,
    reason: "the server says that this tool may destroy something; each call is asked about",
  },
  {
    name: "untrusted",
    applies: (question) => !question.trusted,
    decisions: { ask: "ask", "allow-reads": "ask", "allow-all": "ask" },
    rememberable: true,
    reason: "the server is not trusted; its hints and its auto_approve do not count",
  },
  {
    name: "auto-approved",
    applies: ({ autoApprove, tool }) => autoApprove.includes(tool) || autoApprove.includes("*"),
    decisions: { ask: "allow", "allow-reads": "allow", "allow-all": "allow" },
    rememberable: false,
    reason: "the tool is listed in auto_approve",
  },
  {
    name: "trusted-project-read",
    applies: ({ scope, annotations }) =>
      scope === "project" && (annotations?.readOnlyHint === true || annotations?.destructiveHint === false),
    decisions: { ask: "allow", "allow-reads": "allow", "allow-all": "allow" },
    rememberable: false,
    reason: "the server of the project file is trusted, and says that this tool destroys nothing",
  },
  {
    name: "read-only",
    applies: ({ annotations }) => annotations?.readOnlyHint === true,
    decisions: { ask: "ask", "allow-reads": "allow", "allow-all": "allow" },
    rememberable: true,
    reason: "the trusted server says that this tool only reads",
  },
  {
    name: "otherwise",
    applies: () => true,
    decisions: { ask: "ask", "allow-reads": "ask", "allow-all": "allow" },
    rememberable: true,
    reason: "nothing says that this tool may run without asking",
  },
];

/**
 * The verdict of the table. Hints count only if exactly true or false; rules match the exact server and raw tool name.
 * Verdicts are made once and shared, so that a call costs no allocation.
 */
export function permission(question: PermissionQuestion): PermissionVerdict {
  const row = permissionTable.findIndex((each) => each.applies(question));
  return verdicts[question.mode][row] ?? unknownRow;
}

function verdictsOf(mode: PermissionMode): readonly PermissionVerdict[] {
  return permissionTable.map(({ name, decisions, rememberable, reason }) => ({
    decision: decisions[mode],
    row: name,
    rememberable: rememberable && decisions[mode] === "ask",
    reason,
  }));
}

const verdicts: Readonly<Record<PermissionMode, readonly PermissionVerdict[]>> = {
  ask: verdictsOf("ask"),
  "allow-reads": verdictsOf("allow-reads"),
  "allow-all": verdictsOf("allow-all"),
};

// The last row applies to everything; should a row be lost, a person is asked.
const unknownRow: PermissionVerdict = { decision: "ask", row: "otherwise", rememberable: false, reason: "" };
