import type { Preset } from "../../builtin/presets.js";
import { presets } from "../../builtin/presets.js";
import type { ConfigProblem } from "../../errors.js";
import type { Fields } from "../fields/fields.js";
import { fillEntry } from "../fields/fill.js";
import { normalizeServer } from "./normalize.js";
import type { PlaceholderValues } from "../fields/placeholders.js";
import type { ServerConfig } from "./input.js";
import type { Limits, ServerSpec } from "../../spec.js";

/** The servers that ship with mcpvisor, switched off: any entry of the same id takes their place. */
export function presetSpecs(
  context: Omit<PlaceholderValues, "repo"> & { readonly limits?: Partial<Limits> },
): ServerSpec[] {
  return presets().flatMap((preset) => {
    const fields = fieldsOf(preset);
    const problems: ConfigProblem[] = [];
    const filled = fillEntry({ server: fields.name, path: "", problems }, fields, context);
    const config = filled.fields as unknown as ServerConfig;
    const { spec } = normalizeServer(config, {
      scope: "builtin",
      secrets: filled.secrets,
      ...(context.limits === undefined ? {} : { limits: context.limits }),
    });
    return problems.length > 0 || spec === undefined ? [] : [spec];
  });
}

/** A server that ships with mcpvisor as an entry to be written into settings.json; undefined when none has this id. */
export function presetEntry(id: string): Fields | undefined {
  const preset = presets().find((each) => each.id === id);
  return preset === undefined ? undefined : fieldsOf(preset);
}

function fieldsOf({ id, name, command, args, pass, enabled }: Preset) {
  return { id, name, command, args, pass, enabled };
}
