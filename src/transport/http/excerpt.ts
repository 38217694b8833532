/** The beginning of foreign text for a message: at most `maxChars` characters, control characters escaped. */
export function excerpt(text: string, maxChars: number): string {
  let out = "";
  let count = 0;
  for (const char of text) {
    if (count === maxChars) return `${out}…`;
    out += isPrintable(char) ? char : escape(char);
    count += 1;
  }
  return out;
}

function isPrintable(char: string): boolean {
  // Controls, format characters (bidirectional overrides), lone surrogates, line separators.
  return !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(char);
}

function escape(char: string): string {
  if (char === "\n") return "\\n";
  if (char === "\t") return "\\t";
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
