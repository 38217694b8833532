import * as z from "zod";

/** How many items a page shall have; the services' own caps are no lower. */
export function limitField(standard: number, max: number) {
  return z
    .int()
    .min(1)
    .max(max)
    .default(standard)
    .describe(`How many at most (1-${max}, ${standard} if left out)`);
}

/** Where the next page begins, as an earlier answer told. */
export const cursorField = z
  .string()
  .min(1)
  .max(2000)
  .optional()
  .describe("next_cursor of an earlier answer, to read on; leave out for the first page");

/** The same, in answers. */
export const nextCursor = z.string().optional().describe("Present when there is more: pass it as cursor");

/** Turns an empty or missing cursor into no field at all. */
export function next(cursor: string | null | undefined): { next_cursor?: string } {
  return cursor === undefined || cursor === null || cursor === "" ? {} : { next_cursor: cursor };
}

/** Long texts are cut at a character boundary, and the answer says so. */
export function cutText(text: string, max = 8_000): { text: string; truncated?: true } {
  if (text.length <= max) return { text };
  const end = /[\uD800-\uDBFF]/.test(text[max - 1] ?? "") ? max - 1 : max;
  return { text: text.slice(0, end), truncated: true };
}

/** Runs `work` on all items, a few at a time, keeping their order. */
export async function mapFew<A, B>(
  items: readonly A[],
  work: (item: A) => Promise<B>,
  few = 5,
): Promise<B[]> {
  const results: B[] = [];
  for (let at = 0; at < items.length; at += few)
    results.push(...(await Promise.all(items.slice(at, at + few).map(work))));
  return results;
}
