import type { Behalf } from "./behalf.js";

interface OpenRequest {
  readonly method: string;
  readonly behalf?: Behalf | undefined;
}

/**
 * Whose a message of a server is that names no request: that of the request on whose stream it came; else that of all
 * that are open, if they are of one consumer (or of the host: undefined). It is never guessed.
 */
export function ownerOf(
  about: OpenRequest | undefined,
  open: readonly OpenRequest[],
): Behalf | undefined | "nobody knows" {
  if (about !== undefined) return about.behalf;
  const working = open.filter(({ method }) => method !== "subscriptions/listen" && method !== "ping");
  const [first, ...others] = working.filter(({ behalf }) => behalf !== undefined);
  if (first === undefined) return undefined;
  const isShared = others.some(({ behalf }) => behalf?.consumer !== first.behalf?.consumer);
  return isShared ? "nobody knows" : first.behalf;
}
