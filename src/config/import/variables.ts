import { isRecord } from "../fields/fields.js";

/** How a program writes variables in its texts. */
export type VariableSyntax = "none" | "posix" | "braces" | "vscode" | "gemini" | "opencode";

const names: Readonly<Record<string, string>> = {
  workspaceFolder: "${workspace}",
  userHome: "${env:HOME}",
  pathSeparator: "/",
  "/": "/",
};

/** Every text of a value with the variables of another program in our syntax, and a plain `$` where it meant one. */
export function rewriteDeep(value: unknown, syntax: VariableSyntax, notes: string[]): unknown {
  if (typeof value === "string") return rewrite(value, syntax, notes);
  if (Array.isArray(value)) return value.map((each) => rewriteDeep(each, syntax, notes));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, rewriteDeep(each, syntax, notes)]),
  );
}

function rewrite(text: string, syntax: VariableSyntax, notes: string[]): string {
  switch (syntax) {
    case "posix":
      return text; // our own syntax
    case "none":
      return text.replaceAll("$", "$$$$");
    case "braces":
      // `$NAME` is plain text there, `${NAME}` and `${NAME:-x}` are variables.
      return text.replaceAll(/\$(?!\{[A-Za-z_])/g, "$$$$");
    case "gemini":
      // An unset variable is an empty text there.
      return text.replaceAll(
        /\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g,
        (_, a?: string, b?: string) => `\${${a ?? b}:-}`,
      );
    case "opencode":
      return text
        .replaceAll("$", "$$$$")
        .replaceAll(/\{(env|file):([^}]*)\}/g, (whole, kind: string, name: string) => {
          if (kind === "env") return `\${${name}:-}`;
          const variable = variableOf(name);
          notes.push(`${whole}: mcpvisor does not read values from files; set the variable ${variable}`);
          return `\${${variable}}`;
        });
    case "vscode":
      return text.replaceAll(/\$\{([^}]*)\}|\$/g, (whole, inner?: string) => predefined(whole, inner, notes));
  }
}

/** A variable that stands for what another program asks for, or reads from a file. */
function variableOf(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .replace(/^(?=\d|$)/, "_");
}

function predefined(whole: string, inner: string | undefined, notes: string[]): string {
  if (inner === undefined) return "$$";
  if (inner.startsWith("env:")) return `\${${inner.slice(4)}:-}`;
  if (inner.startsWith("input:")) {
    const variable = variableOf(inner.slice(6));
    notes.push(`${whole}: nobody is asked for inputs here; set the variable ${variable}`);
    return `\${${variable}}`;
  }
  const ours = Object.hasOwn(names, inner) ? names[inner] : undefined;
  if (ours !== undefined) return ours;
  notes.push(`${whole}: mcpvisor has no such placeholder; it stands there as plain text`);
  return `$${whole}`;
}
