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

const versionText = /\d{4}-\d{2}-\d{2}/g;

/**
 * Versions that the error of a refused initialize names beside the offered one: in `data`, whatever the server calls the
 * field and whether it is a list or a text, or in the message when `data` has none.
 */
export function versionsNamedIn(error: { message: string; data?: unknown }, offered: string): string[] {
  const { data, message } = error;
  const fields = typeof data === "object" && data !== null ? Object.values(data).flat() : [data];
  const inData = fields.flatMap((field) =>
    typeof field === "string" ? (field.match(versionText) ?? []) : [],
  );
  const named = [...new Set(inData)].filter((version) => version !== offered);
  if (named.length > 0) return named;
  return [...new Set(message.match(versionText) ?? [])].filter((version) => version !== offered);
}
