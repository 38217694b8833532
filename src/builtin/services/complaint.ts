import * as z from "zod";

/** The usual places where JSON APIs put their words about an error. */
const wordsSchema = z.object({
  message: z.string().optional(),
  error: z
    .union([z.string(), z.object({ message: z.string().optional(), code: z.unknown().optional() })])
    .optional(),
  details: z.string().nullish(),
  hint: z.string().nullish(),
});

/** The words of an error body in one of the usual forms; empty when there are none. */
export function wordsOf(body: unknown): string {
  const parsed = wordsSchema.safeParse(body);
  if (!parsed.success) return "";
  const { message, error, details, hint } = parsed.data;
  const inner = typeof error === "object" ? error.message : error;
  return [message ?? inner, details, hint].filter(Boolean).join("; ");
}
