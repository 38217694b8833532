import type { Dialect } from "../spec.js";
import type { ToolAnnotations } from "../protocol/mcp.js";

/** Every mode, for checks of options and flags. */
export const permissionModes = ["ask", "allow-reads", "allow-all", "allow-trusted"] as const;

/**
 * What may run without a person being asked, for all entries alike (the table is in docs/permissions.md). `ask`: what
 * `auto_approve` of a trusted server names. `allow-reads` and `allow-all`: also what a trusted server says only reads.
 * `allow-trusted`: everything that a trusted server offers, but for what it says is destructive.
 */
export type PermissionMode = (typeof permissionModes)[number];

/** Columns of the table: a mode that is set, or the file an entry is written in where none is. */
export const permissionColumns = ["settings", "mcpServers", ...permissionModes] as const;
export type PermissionColumn = (typeof permissionColumns)[number];

/** What is known of one call before it may run. Records of the engine fit without a copy. */
export interface PermissionQuestion {
  /** The mode that was set; without one the entry follows the column of its file. */
  readonly mode: PermissionMode | undefined;
  /** The words of the file that the entry is written in. */
  readonly dialect: Dialect;
  readonly trusted: boolean;
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
    | "read-only"
    | "harmless"
    | "otherwise";
  /** Which calls it is about, in words for docs/permissions.md. */
  readonly about: string;
  readonly applies: (question: PermissionQuestion) => boolean;
  readonly decisions: Readonly<Record<PermissionColumn, PermissionVerdict["decision"]>>;
  readonly rememberable: boolean;
  readonly reason: string;
}

/** The same decision in every column, but for those named. */
function everywhere(
  decision: PermissionVerdict["decision"],
  but: Partial<PermissionRow["decisions"]> = {},
): PermissionRow["decisions"] {
  const columns = permissionColumns.map((column) => [column, but[column] ?? decision]);
  return Object.fromEntries(columns) as PermissionRow["decisions"];
}

/** The table of permissions, printed in docs/permissions.md: the first row that applies decides. */
export const permissionTable: readonly PermissionRow[] = [
  {
    name: "excluded",
    about: "left out by a rule (`tools.exclude`, `tools.include`)",
    applies: (question) => question.excluded,
    decisions: everywhere("hidden"),
    rememberable: false,
    reason: "a rule of the configuration withholds this tool",
  },
  {
    name: "destructive",
    about: "`destructiveHint: true`",
    applies: (question) => question.annotations?.destructiveHint === true,
    decisions: everywhere("ask"),
    rememberable: false,
    reason: "the server says that this tool may destroy something; each call is asked about",
  },
  {
    name: "untrusted",
    about: "the server is not trusted",
    applies: (question) => !question.trusted,
    decisions: everywhere("ask"),
    rememberable: true,
    reason: "the server is not trusted; its hints and its auto_approve do not count",
  },
  {
    name: "auto-approved",
    about: "listed in `auto_approve`",
    applies: ({ autoApprove, tool }) => autoApprove.includes(tool) || autoApprove.includes("*"),
    decisions: everywhere("allow"),
    rememberable: false,
    reason: "the tool is listed in auto_approve",
  },
  {
    name: "read-only",
    about: "`readOnlyHint: true`",
    applies: ({ annotations }) => annotations?.readOnlyHint === true,
    decisions: everywhere("allow", { settings: "ask", ask: "ask" }),
    rememberable: true,
    reason: "the trusted server says that this tool only reads",
  },
  {
    name: "harmless",
    about: "`destructiveHint: false`",
    applies: ({ annotations }) => annotations?.destructiveHint === false,
    decisions: everywhere("ask", { mcpServers: "allow", "allow-trusted": "allow" }),
    rememberable: true,
    reason: "the trusted server says that this tool destroys nothing, not that it only reads",
  },
  {
    name: "otherwise",
    about: "anything else",
    applies: () => true,
    decisions: everywhere("ask", { "allow-trusted": "allow" }),
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
  return verdicts[question.mode ?? question.dialect][row] ?? unknownRow;
}

/** The rows of trusted servers whose calls run without a question in this column. */
export function runsUnasked(
  column: PermissionColumn,
): readonly Exclude<PermissionRow["name"], "excluded" | "destructive" | "untrusted">[] {
  return (["auto-approved", "read-only", "harmless", "otherwise"] as const).filter((name) =>
    permissionTable.some((row) => row.name === name && row.decisions[column] === "allow"),
  );
}

function verdictsOf(column: PermissionColumn): readonly PermissionVerdict[] {
  return permissionTable.map(({ name, decisions, rememberable, reason }) => ({
    decision: decisions[column],
    row: name,
    rememberable: rememberable && decisions[column] === "ask",
    reason: decisions[column] === "ask" && allowsElsewhere(decisions) ? `${reason}; ${asks(column)}` : reason,
  }));
}

function allowsElsewhere(decisions: PermissionRow["decisions"]): boolean {
  return permissionColumns.some((column) => decisions[column] === "allow");
}

/** Why a call is asked about that would run unasked in another column. */
function asks(column: PermissionColumn): string {
  return column === "settings" || column === "mcpServers"
    ? `without a mode, a server of ${column === "settings" ? "settings.json" : "an mcpServers file"} asks about it`
    : `the mode ${column} asks about it`;
}

const verdicts = Object.fromEntries(
  permissionColumns.map((column) => [column, verdictsOf(column)]),
) as unknown as Readonly<Record<PermissionColumn, readonly PermissionVerdict[]>>;

// The last row applies to everything; should a row be lost, a person is asked.
const unknownRow: PermissionVerdict = { decision: "ask", row: "otherwise", rememberable: false, reason: "" };
