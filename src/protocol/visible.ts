import { replaceHidden } from "../hiddenText.js";

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const colours = /\u001b\[[0-9;]*m/g;

/** Text of a server as it may be shown: colours removed, hidden characters written out, `maxChars` at most. */
export function visible(text: string, maxChars = Infinity): string {
  // A cut is marked: the masker drops what may be the beginning of a secret beside the mark (policy/secrets.ts).
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return replaceHidden(cut.replace(colours, ""), escape).replaceAll("\n", escape("\n"));
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/** What a server says, inside a message of ours. */
export function quoted(text: string): string {
  return visible(text, 500);
}
