import { replaceHidden } from "../../hiddenText.js";

/** The beginning of foreign text for a message: at most `maxChars` characters, hidden characters escaped, a cut marked. */
export function excerpt(text: string, maxChars: number): string {
  const characters = Array.from(text.slice(0, 2 * maxChars + 2));
  const kept = characters.slice(0, maxChars).join("");
  const shown = replaceHidden(kept, escape).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return characters.length > maxChars ? `${shown}…` : shown;
}

function escape(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
