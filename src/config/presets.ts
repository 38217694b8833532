import { presets } from "../builtin/presets.js";
import type { ConfigProblem } from "../errors.js";
import { fillEntry } from "./fill.js";
import { normalizeServer } from "./normalize.js";
import type { ParseContext } from "./parse.js";
import type { ServerConfig } from "./input.js";
import type { ServerSpec } from "./spec.js";

/** The servers that ship with mcpvisor, switched off: any entry of the same id takes their place. */
export function presetSpecs(context: Omit<ParseContext, "file" | "scope">): ServerSpec[] {
  return presets.flatMap(({ id, name, command, args, pass, enabled }) => {
    const fields = { id, name, command, args, pass, enabled };
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
