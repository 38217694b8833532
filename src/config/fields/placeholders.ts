import { nearest } from "./nearest.js";

/** What the placeholders of a file stand for. */
export interface PlaceholderValues {
  /** The path of this runtime. */
  readonly node: string;
  /** `python3`, or `python` on Windows. */
  readonly python: string;
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

const own = ["node", "python", "repo", "workspace", "home"] as const;

/** `$$`, `${…}`, `$NAME`; any other `$` stands for itself. */
const placeholder = /\$(?:\$|\{([^}]*)(\})?|([A-Za-z_][A-Za-z0-9_]*))/g;
const inBraces = /^(env:)?([A-Za-z_][A-Za-z0-9_]*(?:\([A-Za-z0-9]+\))?)(?::-([\s\S]*))?$/;

/** Places that everybody knows; starring them out would make every path unreadable. */
const places = new Set(
  "HOME USERPROFILE USER USERNAME LOGNAME PWD PATH SHELL TMPDIR TEMP TMP LANG APPDATA LOCALAPPDATA".split(
    " ",
  ),
);

/**
 * Fills in `${node}`, `${python}`, `${repo}`, `${workspace}`, `${home}`, `${env:NAME}`, `$NAME`, `${NAME}`,
 * `${NAME:-default}` (also when NAME is empty) and `$$`, in one pass: what is filled in is never looked at again.
 */
export function fillPlaceholders(text: string, values: PlaceholderValues): Filled {
  const secrets: string[] = [];
  const variables: string[] = [];
  let failure: Filled | undefined;
  const filled = text.replaceAll(placeholder, (whole, braces?: string, closing?: string, bare?: string) => {
    if (failure !== undefined || whole === "$$") return "$";
    const parsed = bare === undefined ? parseBraces(whole, braces, closing) : { name: bare, mayBeOwn: false };
    if ("ok" in parsed) {
      failure = parsed;
      return "";
    }
    const ownValue = parsed.mayBeOwn ? ownOf(parsed.name, values) : undefined;
    if (ownValue !== undefined) return ownValue;
    const value = resolve(parsed, values);
    if (value === undefined) failure = unset(parsed, bare !== undefined);
    else if (!isOwn(parsed)) {
      variables.push(parsed.name);
      if (value !== parsed.otherwise && !places.has(parsed.name.toUpperCase())) secrets.push(value);
    }
    return value ?? "";
  });
  return failure ?? { ok: true, text: filled, secrets, variables };
}

interface Parsed {
  readonly name: string;
  readonly mayBeOwn: boolean;
  readonly otherwise?: string | undefined;
}

function parseBraces(whole: string, braces = "", closing?: string): Parsed | Filled {
  const match = closing === undefined ? null : inBraces.exec(braces);
  if (match === null) {
    const message = `${JSON.stringify(whole)} is not a placeholder`;
    return { ok: false, variable: braces, message, hint: "write $$ for a plain $" };
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
  if (parsed.otherwise === undefined) return value;
  return value === undefined || value === "" ? parsed.otherwise : value;
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
