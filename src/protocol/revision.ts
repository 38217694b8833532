/** Revisions with an initialize handshake, newest first (MCP, Versioning). */
export const legacyRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** Revisions without a handshake, newest first. */
export const modernRevisions = ["2026-07-28"] as const;

/** The version offered when nothing is pinned. */
export const preferredLegacy: string = legacyRevisions[0];

export function isLegacy(version: string): boolean {
  return (legacyRevisions as readonly string[]).includes(version);
}

export function isModern(version: string): boolean {
  return (modernRevisions as readonly string[]).includes(version);
}

/** The newest of `offered` that we speak in the given era; version strings are ISO dates, so plain comparison orders them. */
export function newestMutual(offered: readonly unknown[], known: readonly string[]): string | undefined {
  return known.find((version) => offered.includes(version));
}

/** Version strings that the `data` of an error lists, whatever the server calls the field. */
export function versionsNamedIn(data: unknown): string[] {
  const fields = typeof data === "object" && data !== null ? Object.values(data) : [];
  const lists = Array.isArray(data) ? [data] : fields.filter(Array.isArray);
  return lists.flat().filter((each) => typeof each === "string");
}

const versionText = /\d{4}-\d{2}-\d{2}/g;

/** Other versions than the offered one that the refusal of initialize names: in a list, else anywhere in its texts. */
export function otherVersionsIn(error: { message: string; data?: unknown }, offered: string): string[] {
  const { data, message } = error;
  const listed = versionsNamedIn(data);
  const texts = typeof data === "object" && data !== null ? Object.values(data) : [data];
  const found = [...texts, message].flatMap((text) =>
    typeof text === "string" ? (text.match(versionText) ?? []) : [],
  );
  return [...new Set(listed.length > 0 ? listed : found)].filter((version) => version !== offered);
}
