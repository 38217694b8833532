/**
 * A text of at most `most` UTF-16 code units. What is longer ends in a notice with the original and the kept size; the
 * cut never splits a surrogate pair.
 */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = most - notice(text.length, most).length;
  // No room for a notice: a plain cut is all that fits.
  if (room <= 0) return clip(text, most);
  const kept = boundary(text, room);
  return text.slice(0, kept) + notice(text.length, kept);
}

/** At most `most` UTF-16 code units of a text, without a notice and without half a character at the end. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, boundary(text, most));
}

function notice(all: number, kept: number): string {
  return `\n[cut: ${kept} of ${all} characters shown; content holds all of it]`;
}

function boundary(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  return at > 0 && last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}
