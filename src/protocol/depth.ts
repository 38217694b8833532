/**
 * Whether a parsed JSON value nests deeper than `limit` containers. Node parses millions of levels, but
 * JSON.stringify and structuredClone overflow at some 10,000: such a value must not travel on.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit <= 0) return true;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (isDeeperThan(value[at], limit - 1)) return true;
    return false;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key in fields) if (isDeeperThan(fields[key], limit - 1)) return true;
  return false;
}
