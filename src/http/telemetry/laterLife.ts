import type { FactOf } from "../../index.js";

/** Whether a server begins a life after its first with this: by connecting, or by taking over from the one before. */
export function isLaterLife({ to, cause, generation }: FactOf<"mcp.state">): boolean {
  return generation > 1 && (to === "connecting" || cause.kind === "replaced");
}
