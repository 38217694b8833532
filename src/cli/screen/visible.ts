import { escapeJson, replaceHidden } from "../../hiddenText.js";

/** Text of strangers on one line: everything that steers or hides shows as an escape such as `\x1b` or `\u202e`. */
export function visible(text: string): string {
  return visibleLines(text.replaceAll("\r\n", "\\r\\n")).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** The same for text that may have lines: line feeds and tabs stay as they are. */
export function visibleLines(text: string): string {
  return replaceHidden(text.replaceAll("\r\n", "\n"), escape);
}

/** JSON without a single control or hidden character; parses to exactly the value given. */
export function jsonText(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

/** How many columns a line takes: wide characters count two, combining marks none. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character);
  return columns;
}

/** At most so many columns; what is cut shows as `…`. */
export function truncate(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += columnsOfOne(character);
    if (used > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? "" : `${kept}…`;
}

const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

function columnsOfOne(character: string): number {
  if (/\p{Mn}|\p{Me}/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

function escape(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  if (found === "\r") return "\\r";
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\u{${hex(code, 1)}}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
