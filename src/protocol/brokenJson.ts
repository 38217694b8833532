import type { RequestId } from "./jsonrpc.js";
import { lostResponseId } from "./lostId.js";

/** Where and why a text is no JSON (RFC 8259); `at` counts characters from 0. */
export interface JsonFault {
  readonly at: number;
  /** Such as `NaN`, or `a text in single quotes`; never more than a few characters of the text itself. */
  readonly reason: string;
}

const endChars = 512;
const literals = /(?:true|false|null)(?![\w$])/y;
const numbers = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w$.])/y;
const words = /[-+]?[\w$.]{1,24}/y;
const blank = /\s/;

/** The first thing in a text that JSON does not know; undefined when only its structure is wrong. */
export function jsonFault(text: string): JsonFault | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (blank.test(char) || char === "," || char === ":") continue;
    if (depth === 0 && at > 0 && text.slice(0, at).trim() !== "") {
      return { at, reason: "something stands behind its end" };
    }
    if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    else if (char === '"') {
      const end = endOfText(text, at);
      if (typeof end !== "number") return end;
      at = end;
    } else if (char === "'") return { at, reason: "a text in single quotes" };
    else if (depth === 0) return { at, reason: "something stands before it" };
    else {
      const end = match(literals, text, at) ?? match(numbers, text, at);
      if (end === undefined) return { at, reason: wordAt(text, at) };
      at = end - 1;
    }
  }
  return depth > 0 ? { at: text.length, reason: "it breaks off" } : undefined;
}

/**
 * The id of the request that a broken line plainly answers; undefined when none can be read, or when it may be a request
 * or a notification. Log text glued to its front, and Python's single quotes, are looked through.
 */
export function brokenAnswerId(text: string): RequestId | undefined {
  const from = text.search(/\{\s*["'](?:jsonrpc|id|result|error)["']/);
  if (from < 0 || !/["'](?:result|error)["']\s*:/.test(text)) return undefined;
  const head = text.slice(from, from + endChars);
  // The end of a short line is behind its beginning, not in it.
  const tail = text.slice(Math.max(from, text.length - endChars));
  const id = lostResponseId(head, tail);
  return id ?? (head.includes("'") ? lostResponseId(doubled(head), doubled(tail)) : undefined);
}

function doubled(text: string): string {
  return text.replaceAll("'", '"');
}

/** Where a text in double quotes ends, or what is wrong with it. */
function endOfText(text: string, from: number): number | JsonFault {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code < 0x20) return { at, reason: `a raw control character (U+${hex(code)}) in a text` };
    if (code !== 0x5c) continue;
    at++;
    if (!/["\\/bfnrtu]/.test(text[at] ?? ""))
      return { at: at - 1, reason: "an escape that JSON does not know" };
  }
  return { at: text.length, reason: "it breaks off" };
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function wordAt(text: string, at: number): string {
  words.lastIndex = at;
  const word = words.exec(text)?.[0];
  // Only words of other languages are quoted: anything else might be a secret.
  if (word !== undefined && /^[-+]?(?:NaN|Infinity|inf|nan|None|True|False|undefined)$/.test(word))
    return word;
  return "something that is no JSON value";
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, "0");
}
