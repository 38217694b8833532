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

/** Version strings that the `data` of an error names, whatever the server calls the field. */
export function versionsNamedIn(data: unknown): string[] {
  if (Array.isArray(data)) return data.filter((each) => typeof each === "string");
  if (typeof data !== "object" || data === null) return [];
  return Object.values(data).flatMap((value) =>
    Array.isArray(value) ? value.filter((each) => typeof each === "string") : [],
  );
}
