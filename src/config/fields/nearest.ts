/** The candidate a person most likely meant by a mistyped word, or undefined when nothing is near enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const plain = simplified(word);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const candidate of candidates) {
    const each = distance(plain, simplified(candidate), bestDistance);
    if (each < bestDistance) {
      best = candidate;
      bestDistance = each;
    }
  }
  return best;
}

/** `Auto-Approve`, `autoApprove` and `auto_approve` are the same slip. */
function simplified(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, "");
}

/** Edits (insert, delete, replace, swap of neighbours) from one word to the other; gives up at `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + same);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, before[column - 2]! + 1);
      }
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
