import { isRecord } from "./serverInfo.js";

/** What a server is asked to tell; every member is one kind of change (MCP 2026-07-28, subscriptions/listen). */
export interface ChangeFilter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

/** The changes that a server with these capabilities can tell, and the resources that are watched; undefined for none. */
export function changeFilter(
  capabilities: Readonly<Record<string, unknown>>,
  resources: readonly string[] = [],
): ChangeFilter | undefined {
  const tells = (name: string): boolean => {
    const capability = capabilities[name];
    return isRecord(capability) && capability["listChanged"] === true;
  };
  const filter: ChangeFilter = {
    ...(tells("tools") ? { toolsListChanged: true } : {}),
    ...(tells("prompts") ? { promptsListChanged: true } : {}),
    ...(tells("resources") ? { resourcesListChanged: true } : {}),
    ...(resources.length > 0 ? { resourceSubscriptions: resources } : {}),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}
