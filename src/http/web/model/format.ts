/** Durations and counts as short text for narrow columns. */
export function duration(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
  return `${Math.floor(ms / 86_400_000)} d`;
}

export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour12: false });
}

export function count(value: number): string {
  return value < 10_000 ? String(value) : `${(value / 1000).toFixed(value < 100_000 ? 1 : 0)}k`;
}

/** First and last code point of each range that is never shown as it is (C0 but tab and newline, C1, format). */
const hidden: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
];

/**
 * Text of a server as it may be shown: escape, control, bidirectional and zero-width characters become visible, so
 * that nothing on the page pretends to be something else.
 */
export function visible(text: string): string {
  let shown = "";
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    shown += hidden.some(([first, last]) => code >= first && code <= last)
      ? `\\u{${code.toString(16)}}`
      : char;
  }
  return shown;
}
