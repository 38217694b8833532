/** Up to three of the names within a small edit distance of this one, or that contain its words, nearest first. */
export function nearest(name: string, names: Iterable<string>, most = 3): string[] {
  const wanted = name.slice(0, longest).toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const found: { name: string; score: number }[] = [];
  for (const each of names) {
    const other = each.toLowerCase();
    // A forgotten prefix ("read_file") is the usual slip; it counts as nearly right.
    const score = wanted.length > 2 && other.endsWith(`_${wanted}`) ? 1 : distance(wanted, other, limit);
    if (score <= limit) found.push({ name: each, score });
  }
  const sorted = found.toSorted((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return sorted.slice(0, most).map((each) => each.name);
}

/** A name nobody could have meant is not worth the time. */
const longest = 128;

/** Levenshtein distance in one row; anything over the limit is only known to be over it. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0] ?? 0;
    let least = (row[0] = i);
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
      row[j] = Math.min(above + 1, (row[j - 1] ?? 0) + 1, diagonal + cost);
      diagonal = above;
      least = Math.min(least, row[j] ?? 0);
    }
    if (least > limit) return limit + 1;
  }
  return row[b.length] ?? limit + 1;
}
