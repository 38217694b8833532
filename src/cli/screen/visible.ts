/**
 * Characters that steer a terminal or hide from the eye: controls (C0, DEL, C1), formats (bidi, zero width,
 * tags, soft hyphen), line separators, lone surrogates, fillers and the variation selectors that can carry text.
 */
const hidden =
  /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}|[\u{e0100}-\u{e01ef}]|[\u180b-\u180f]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu;

/** Text of strangers on one line: everything that steers or hides shows as an escape such as `\x1b` or `\u202e`. */
export function visible(text: string): string {
  return text.replace(hidden, escape);
}

/** The same for text that may have lines: line feeds and tabs stay as they are. */
export function visibleLines(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(hidden, (found) => {
    return found === "\n" || found === "\t" ? found : escape(found);
  });
}

/** JSON without a single control or hidden character; parses to exactly the value given. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(hidden, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${hex(found.charCodeAt(at), 4)}`).join(""),
  );
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
  const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const code = found.codePointAt(0) ?? 0;
  if (short[found] !== undefined) return short[found];
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\u{${hex(code, 1)}}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
