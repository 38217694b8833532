import type { Node, ParseError } from "jsonc-parser";
import { parseTree, printParseErrorCode } from "jsonc-parser";
import type { ConfigProblem } from "../../errors.js";

/** Where something is in a text; both count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A key that stands twice in one object; the last one counts, as in JSON.parse. */
export interface DuplicateKey extends Position {
  readonly path: string;
}

/** A text read as JSONC, with a way back from a field's path to its place. */
export type JsoncReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly duplicates: readonly DuplicateKey[];
      /** The place of a field such as `mcpServers.github.env.TOKEN`, or of the nearest thing around it. */
      locate(path: string): Position;
    }
  | { readonly ok: false; readonly errors: readonly (Position & { readonly message: string })[] };

/** What is wrong with the syntax of a file: the first place, since most of what follows there follows from it. */
export function syntaxProblems(
  errors: readonly (Position & { readonly message: string })[],
  file: string,
): ConfigProblem[] {
  const [first] = errors;
  if (first === undefined) return [];
  const { message, line, column } = first;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more after it)` : "";
  return [{ severity: "error", message: `${message}${more}`, file, line, column }];
}

/** Deeper texts are refused: no configuration is, and a parser that recurses must not be led there. */
const deepest = 200;

/**
 * Reads JSON with comments, trailing commas and a byte order mark. Keys such as `__proto__` become plain own
 * properties. A syntax error gives every error found, each with its place; nothing is guessed.
 */
export function readJsonc(source: string): JsoncReading {
  const text = source.replace(/^\uFEFF/, "");
  if (nestingOf(text) > deepest)
    return broken(text, [{ offset: 0, message: `nested deeper than ${deepest} levels` }]);
  const plain = plainJson(text);
  // Plain JSON without a key that stands twice needs a tree only to tell where something is.
  if (plain !== undefined && keysIn(text) === countKeys(plain.value)) {
    let tree: Node | undefined;
    const locate = (path: string): Position => placeOf(text, (tree ??= parseTree(text)), path);
    return { ok: true, value: plain.value, duplicates: [], locate };
  }
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  if (tree === undefined || errors.length > 0) return broken(text, errors.map(inWords));
  const duplicates: DuplicateKey[] = [];
  const value = valueOf(tree, "", (path, node) =>
    duplicates.push({ path, ...positionAt(text, node.offset) }),
  );
  return { ok: true, value, duplicates, locate: (path) => placeOf(text, tree, path) };
}

function plainJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // JSONC, or broken: the tolerant parser tells which
  }
}

function broken(text: string, errors: readonly { offset: number; message: string }[]): JsoncReading {
  const found = text.trim() === "" ? [{ offset: 0, message: "the file is empty" }] : errors;
  return {
    ok: false,
    errors: found.map(({ offset, message }) => Object.assign(positionAt(text, offset), { message })),
  };
}

function inWords({ error, offset }: ParseError): { offset: number; message: string } {
  const words = printParseErrorCode(error)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return { offset, message: words };
}

/** The value of a tree; unlike assignment, `Object.fromEntries` never sets a prototype. */
function valueOf(node: Node, path: string, onDuplicate: (path: string, node: Node) => void): unknown {
  if (node.type === "array") {
    return (node.children ?? []).map((each, index) =>
      valueOf(each, joined(path, String(index)), onDuplicate),
    );
  }
  if (node.type !== "object") return node.value as unknown;
  const members = new Map<string, unknown>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const inner = joined(path, name);
    if (members.has(name)) onDuplicate(inner, key);
    members.set(name, valueOf(value, inner, onDuplicate));
  }
  return Object.fromEntries(members);
}

function placeOf(text: string, tree: Node | undefined, path: string): Position {
  let at = tree?.offset ?? 0;
  let next = tree === undefined || path === "" ? undefined : step(tree, path);
  while (next !== undefined) {
    at = next.at;
    next = next.rest === undefined ? undefined : step(next.node, next.rest);
  }
  return positionAt(text, at);
}

interface Step {
  readonly node: Node;
  readonly at: number;
  /** What of the path is left; undefined at its end. */
  readonly rest: string | undefined;
}

/** One step down. Names may hold dots or be empty, so the longest that fits is taken; of equal names, the last. */
function step(node: Node, path: string): Step | undefined {
  let best: Step | undefined;
  let longest = -1;
  for (const [index, child] of (node.children ?? []).entries()) {
    const [key, value] = node.type === "object" ? (child.children ?? []) : [undefined, child];
    if (value === undefined) continue;
    const name = key === undefined ? String(index) : String(key.value);
    if ((path !== name && !path.startsWith(`${name}.`)) || name.length < longest) continue;
    longest = name.length;
    const rest = path === name ? undefined : path.slice(name.length + 1);
    best = { node: value, at: key?.offset ?? value.offset, rest };
  }
  return best;
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
  return { line: before.split(/\r\n|\r|\n/).length, column: offset - lineStart + 1 };
}

const stringOrComment = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function nestingOf(text: string): number {
  let level = 0;
  let most = 0;
  for (const character of text.replaceAll(stringOrComment, "")) {
    if (character === "{" || character === "[") most = Math.max(most, ++level);
    else if (character === "}" || character === "]") level--;
  }
  return most;
}

/** How many keys are written in a valid JSON text. */
function keysIn(text: string): number {
  return text.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length ?? 0;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, each) => sum + countKeys(each), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
