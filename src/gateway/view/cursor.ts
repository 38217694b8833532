import { isRecord } from "../contract/protocol.js";
import type { Seal } from "../consumers/seal.js";

/** Items of a page of a merged list. Most clients read one page only, so it is large. */
export const pageSize = 500;

/** Where the page begins that this cursor means; undefined: it is foreign, stale or no cursor. */
export function readCursor(seal: Seal, of: string, revision: string, cursor: unknown): number | undefined {
  if (cursor === undefined) return 0;
  const at = typeof cursor === "string" ? seal.open(`cursor:${of}`, cursor) : undefined;
  return isRecord(at) && at["r"] === revision && typeof at["n"] === "number" ? at["n"] : undefined;
}

/** A cursor of this list at this revision: after a change it is void, so that nothing is lost or told twice. */
export function writeCursor(seal: Seal, of: string, revision: string, at: number): string {
  return seal.close(`cursor:${of}`, { r: revision, n: at });
}
