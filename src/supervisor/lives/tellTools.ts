import type { CatalogChange } from "../../tools/catalog.js";
import type { Desk } from "../state/sharedState.js";

/** Publishes a change of the tools of a server; false when there is none. */
export function tellTools(desk: Desk, id: string, { added, removed, changed }: CatalogChange): boolean {
  if (added.length + removed.length + changed.length === 0) return false;
  desk.bus.publish({ type: "mcp.tools", id, added, removed, changed });
  return true;
}
