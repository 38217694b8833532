/** A stable 64-bit hash of a text (two FNV-1a lanes), as 13 characters of a-z 0-9. To tell texts apart, not for security. */
export function shortHash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    // The second lane sees the units rotated and mixed with the first, so that the lanes do not fail together.
    high = Math.imul(high ^ ((unit << 7) | (unit >>> 9)) ^ (low >>> 15), 0x01000193);
  }
  return (((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)) & 0xffffffffffffffffn)
    .toString(36)
    .padStart(13, "0");
}

/** JSON with the keys of every object in order: equal content, equal text. Absent and undefined are the same. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`);
  return `{${members.join(",")}}`;
}
