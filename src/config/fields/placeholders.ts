import { nearest } from "./nearest.js";

/** What the placeholders of a file stand for. */
export interface PlaceholderValues {
  /** The path of this runtime. */
  readonly node: string;
  /** `python3`, or `python` on Windows. */
  readonly python: string;
  /** The folder of our own built programs; none in a bundle. */
  readonly mcpvisor?: string;
  /** The folder of the file. */
  readonly repo?: string;
  readonly workspace?: string;
  /** The state folder. */
  readonly home?: string;
  /** Our own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A text with its placeholders filled in, or the variable that is not set. */
export type Filled =
  | {
      readonly ok: true;
      readonly text: string;
      /** Values that came from the environment: secrets, everywhere. */
      readonly secrets: readonly string[];
      /** Names that were read from the environment. */
      readonly variables: readonly string[];
    }
  | { readonly ok: false; readonly variable: string; readonly message: string; readonly hint?: string };

const own = ["node", "python", "mcpvisor", "repo", "workspace", "home"] as const;

/** `$$`, the beginning of `${…}`, `$NAME`; any other `$` stands for itself. */
const placeholder = /\$(?:\$|\{|([A-Za-z_][A-Za-z0-9_]*))/g;
const inBraces = /^(env:)?([A-Za-z_][A-Za-z0-9_]*(?:\([A-Za-z0-9]+\))?)(?::-([\s\S]*))?$/;

/** Places that everybody knows; starring them out would make every path unreadable. */
const places = new Set(
  "HOME USERPROFILE USER USERNAME LOGNAME PWD PATH SHELL TMPDIR TEMP TMP LANG APPDATA LOCALAPPDATA".split(
    " ",
  ),
);

/**
 * Fills in `${node}`, `${python}`, `${mcpvisor}`, `${repo}`, `${workspace}`, `${home}`, `${env:NAME}`, `$NAME`, `${NAME}`,
 * `${NAME:-default}` (also when NAME is empty; the default may hold placeholders) and `$$`, in one pass: what is filled
 * in is never looked at again.
 */
export function fillPlaceholders(text: string, values: PlaceholderValues): Filled {
  const secrets: string[] = [];
  const variables: string[] = [];
  let filled = "";
  let from = 0;
  placeholder.lastIndex = 0;
  for (const match of text.matchAll(placeholder)) {
    // Inside of a placeholder that has been filled in already.
    if (match.index < from) continue;
    filled += text.slice(from, match.index);
    from = match.index + match[0].length;
    if (match[0] === "$$") {
      filled += "$";
      continue;
    }
    const bare = match[1];
    const closing = bare === undefined ? closingBrace(text, from) : undefined;
    const whole = text.slice(match.index, closing === undefined ? text.length : closing + 1);
    const inner = closing === undefined ? undefined : text.slice(from, closing);
    const parsed = bare === undefined ? parseBraces(whole, inner) : { name: bare, mayBeOwn: false };
    if ("ok" in parsed) return parsed;
    if (closing !== undefined) from = closing + 1;
    const one = valueOf(parsed, values, bare !== undefined);
    if (!one.ok) return one;
    filled += one.text;
    secrets.push(...one.secrets);
    variables.push(...one.variables);
  }
  return { ok: true, text: filled + text.slice(from), secrets, variables };
}

/** What one placeholder stands for. */
function valueOf(parsed: Parsed, values: PlaceholderValues, bare: boolean): Filled {
  const ownValue = parsed.mayBeOwn ? ownOf(parsed.name, values) : undefined;
  if (ownValue !== undefined) return { ok: true, text: ownValue, secrets: [], variables: [] };
  const value = resolve(parsed, values);
  const variables = isOwn(parsed) ? [] : [parsed.name];
  if (value !== undefined) {
    const isSecret = !isOwn(parsed) && !places.has(parsed.name.toUpperCase());
    return { ok: true, text: value, secrets: isSecret ? [value] : [], variables };
  }
  if (parsed.otherwise === undefined) return unset(parsed, bare);
  const otherwise = fillPlaceholders(parsed.otherwise, values);
  return otherwise.ok ? { ...otherwise, variables: [...variables, ...otherwise.variables] } : otherwise;
}

/** Where the brace closes that was opened before `from`; placeholders inside of a default close their own. */
function closingBrace(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "$" && text[at + 1] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return undefined;
}

interface Parsed {
  readonly name: string;
  readonly mayBeOwn: boolean;
  readonly otherwise?: string | undefined;
}

function parseBraces(whole: string, inner: string | undefined): Parsed | Filled {
  const match = inner === undefined ? null : inBraces.exec(inner);
  if (match === null) {
    const message = `${JSON.stringify(whole)} is not a placeholder`;
    return { ok: false, variable: inner ?? whole.slice(2), message, hint: "write $$ for a plain $" };
  }
  return { name: match[2]!, mayBeOwn: match[1] === undefined, otherwise: match[3] };
}

function isOwn({ name, mayBeOwn }: Parsed): boolean {
  return mayBeOwn && own.some((each) => each === name);
}

function ownOf(name: string, values: PlaceholderValues): string | undefined {
  const found = own.find((each) => each === name);
  return found === undefined ? undefined : values[found];
}

function resolve(parsed: Parsed, { env }: PlaceholderValues): string | undefined {
  const value = isOwn(parsed) || !Object.hasOwn(env, parsed.name) ? undefined : env[parsed.name];
  // An empty variable counts as one that is not set where there is a default.
  return parsed.otherwise !== undefined && value === "" ? undefined : value;
}

/** Spellings of other hosts, and what they are called here. */
const foreign = new Map([
  ["workspaceFolder", "${workspace}"],
  ["userHome", "${env:HOME}"],
  ["__dirname", "${repo}"],
]);

function unset(parsed: Parsed, bare: boolean): Filled {
  const variable = parsed.name;
  if (isOwn(parsed)) {
    return {
      ok: false,
      variable,
      message: `\${${variable}} is not known here`,
      hint: `write \${${variable}:-default}`,
    };
  }
  // Ours are written small; a variable in capitals is no slip of the pen.
  const near = parsed.mayBeOwn && /^[a-z]/.test(variable) ? nearest(variable, own) : undefined;
  const meant = foreign.get(variable) ?? (near === undefined ? undefined : `\${${near}}`);
  const otherwise = bare ? "write $$ for a plain $" : `write \${${variable}:-default}`;
  const hint = meant === undefined ? `set it, or ${otherwise}` : `did you mean ${meant}?`;
  return { ok: false, variable, message: `the variable ${variable} is not set`, hint };
}
