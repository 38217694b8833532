import { readJsonc } from "./jsonc.js";
import { readGuarded } from "./load.js";

/** A section of the settings.json of a state folder that other rooms read; undefined without one, or in a broken file. */
export async function settingsSection(home: string, name: string): Promise<unknown> {
  const found = await readGuarded(`${home}/settings.json`);
  if (found.kind === "absent" || found.kind === "refused") return undefined;
  const source = readJsonc(found.text);
  const root: unknown = source.ok ? source.value : undefined;
  return typeof root === "object" && root !== null ? (root as Record<string, unknown>)[name] : undefined;
}
