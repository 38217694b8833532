import type { ConfigProblem } from "../../errors.js";
import { isRecord } from "../fields/fields.js";
import type { FieldContext } from "../fields/fields.js";
import { fillEntry } from "../fields/fill.js";
import type { PlaceholderValues } from "../fields/placeholders.js";
import { readProxy } from "../fields/target.js";

/** The proxy that a settings file names for all servers, if it does, and what is wrong with it. */
export interface FleetProxy {
  readonly proxy?: string | false;
  readonly problems: readonly ConfigProblem[];
}

/** `proxy` of the section `mcp` of settings.json, or of such a section by itself; placeholders count as in an entry. */
export function fleetProxy(root: unknown, values: PlaceholderValues): FleetProxy {
  const section = isRecord(root) && isRecord(root["mcp"]) ? root["mcp"] : root;
  const isSection = section !== root || (isRecord(root) && Array.isArray(root["servers"]));
  const value = isRecord(section) && isSection ? (section["proxy"] ?? undefined) : undefined;
  if (value === undefined) return { problems: [] };
  const told: FieldContext = { server: "", path: section === root ? "" : "mcp", problems: [] };
  const { fields } = fillEntry(told, { proxy: value }, values);
  const proxy = told.problems.length > 0 ? undefined : readProxy(told, fields);
  // It is about no server.
  for (const problem of told.problems) delete (problem as { server?: string }).server;
  const { problems } = told;
  return proxy === undefined ? { problems } : { proxy, problems };
}
