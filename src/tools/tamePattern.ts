/**
 * Whether a regular expression of a stranger can be matched in bounded time: short, valid, no repeated groups, no back
 * references, at most two places where it may try again. Errs on the side of no.
 */
export function isTame(pattern: unknown): boolean {
  if (typeof pattern !== "string" || pattern.length > 256) return false;
  const plain = pattern
    .replaceAll(/\\u\{[0-9a-fA-F]+\}|\\[pP]\{[^}]*\}/g, "a")
    .replaceAll(/\\[1-9k]/g, "(?=)*")
    .replaceAll(/\\./g, "a")
    .replaceAll(/\[[^\]]*\]/g, "a");
  const repeatedGroup = /\)(?:[*+?]|\{)/;
  if (repeatedGroup.test(plain)) return false;
  const open = plain.replaceAll(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, "(");
  const unbounded = open.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  const ranges = open.match(/\{\d+,(\d+)\}/g) ?? [];
  const wide = ranges.filter((range) => Number(/,(\d+)\}/.exec(range)?.[1]) > 8).length;
  const choices = open.match(/\?|\|/g)?.length ?? 0;
  const start = open.startsWith("^") && !open.includes("|") ? 0 : 1;
  return unbounded + wide + start <= 2 && choices + ranges.length <= 8 && compiles(pattern);
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source.length > 0;
  } catch {
    // Not a regular expression: a schema of a stranger is no reason to fail.
    return false;
  }
}
