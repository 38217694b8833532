import type { CatalogChange } from "../../tools/catalog.js";
import type { SharedState } from "../state/sharedState.js";

/** Publishes a change of the tools of a server; false when there is none. */
export function tellTools(
  shared: SharedState,
  id: string,
  { added, removed, changed }: CatalogChange,
): boolean {
  if (added.length + removed.length + changed.length === 0) return false;
  shared.bus.publish({ type: "mcp.tools", id, added, removed, changed });
  return true;
}
