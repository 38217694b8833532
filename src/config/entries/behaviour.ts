import { legacyRevisions, modernRevisions } from "../../protocol/revision.js";
import type { FieldContext, Fields } from "../fields/fields.js";
import { choice, flag, group, noteUnknown, texts } from "../fields/fields.js";

/** How a server is to be run and offered: its switches and choices, with their defaults. */
export function readBehaviour(told: FieldContext, fields: Fields) {
  const version = choice(told, fields, "protocolVersion", ["auto", ...modernRevisions, ...legacyRevisions]);
  const tools = group(told, fields, "tools") ?? {};
  const inner = { ...told, path: [told.path, "tools"].filter((each) => each !== "").join(".") };
  const include = texts(inner, tools, "include");
  const exclude = texts(inner, tools, "exclude");
  noteUnknown(inner, tools, ["include", "exclude"]);
  return {
    enabled: flag(told, fields, "enabled") ?? true,
    restart: choice(told, fields, "restart", ["lazy", "eager", "never"]) ?? ("lazy" as const),
    lazy: flag(told, fields, "lazy") ?? false,
    sharing: choice(told, fields, "sharing", ["auto", "shared", "consumer"]) ?? ("auto" as const),
    required: flag(told, fields, "required") ?? false,
    retry: choice(told, fields, "retry", ["never", "safe"]) ?? ("never" as const),
    autoApprove: texts(told, fields, "auto_approve") ?? [],
    tools: { ...(include === undefined ? {} : { include }), ...(exclude === undefined ? {} : { exclude }) },
    coerce: flag(told, fields, "coerce") ?? true,
    outputSchema: choice(told, fields, "outputSchema", ["warn", "fail", "off"]) ?? ("warn" as const),
    chaos: flag(told, fields, "chaos") ?? false,
    protocolVersion: version,
  };
}
