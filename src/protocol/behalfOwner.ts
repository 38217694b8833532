import type { Behalf } from "./behalf.js";

interface OpenRequest {
  readonly method: string;
  readonly behalf?: Behalf | undefined;
}

/** What the host asks for itself, such as lists, is no work that a server asks questions about. */
const work = new Set(["tools/call", "resources/read", "prompts/get"]);
const background = new Set(["subscriptions/listen", "ping"]);

/** Names one session of one consumer, or the host itself: another window of the same agent is another peer. */
export function peerOf(behalf: Behalf | undefined): string {
  return behalf === undefined ? "" : `${behalf.consumer} ${behalf.session ?? ""}`;
}

/**
 * Whose a message of a server is that names no request: that of the request on whose stream it came; else that of all
 * that are open, if they are of one session of one consumer (or of the host: undefined). It is never guessed.
 */
export function ownerOf(
  about: OpenRequest | undefined,
  open: readonly OpenRequest[],
): Behalf | undefined | "nobody knows" {
  if (about !== undefined) return about.behalf;
  const [first, ...others] = open.filter(({ method, behalf }) =>
    behalf === undefined ? work.has(method) : !background.has(method),
  );
  const isShared = others.some(({ behalf }) => peerOf(behalf) !== peerOf(first?.behalf));
  return isShared ? "nobody knows" : first?.behalf;
}
