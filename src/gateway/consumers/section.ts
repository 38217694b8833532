import { isRecord } from "../contract/protocol.js";
import { checkConfig } from "./check.js";
import type { StoredConsumers } from "./store.js";
import type { ConsumerRecord } from "./consumers.js";

/** Whether the section `gateway` of settings.json lets the gateway be served; what is no boolean switches it off, too. */
export function isGatewayOn(section: unknown): boolean {
  const { enabled } = isRecord(section) ? section : { enabled: undefined };
  return enabled === undefined || enabled === true;
}

/** The consumers of a state folder with those that the section `gateway` of settings.json describes. */
export function readSection(
  section: unknown,
  stored: readonly ConsumerRecord[],
): Omit<StoredConsumers, "broken"> {
  if (section === undefined) return { records: stored, unnamed: undefined, problems: [] };
  if (!isRecord(section))
    return { records: stored, unnamed: undefined, problems: ["settings.json: gateway is no object"] };
  const problems: string[] = [];
  const records = new Map(stored.map((each) => [each.name, each]));
  const { consumers, unnamed, enabled } = section;
  if (enabled !== undefined && typeof enabled !== "boolean")
    problems.push("settings.json: gateway.enabled is neither true nor false; the gateway is off");
  for (const [name, each] of Object.entries(isRecord(consumers) ? consumers : {})) {
    const checked = checkConfig(each);
    const token = records.get(name)?.token;
    if ("config" in checked)
      records.set(name, { name, config: checked.config, ...(token === undefined ? {} : { token }) });
    else {
      // The scope that was meant is not known: the older one may be wider.
      records.delete(name);
      problems.push(`settings.json: gateway.consumers.${name} ${checked.problem}; nobody comes in by it`);
    }
  }
  return {
    records: [...records.values()],
    unnamed: typeof unnamed === "string" ? unnamed : undefined,
    problems,
  };
}
