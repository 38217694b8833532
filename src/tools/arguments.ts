import type { RawTool } from "../protocol/mcp.js";
import { coerceValue, needsNoCoercion } from "./coerce.js";

export type Prepared =
  | {
      readonly ok: true;
      readonly args: Readonly<Record<string, unknown>>;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

const none: readonly string[] = [];
const empty: Prepared = { ok: true, args: Object.freeze({}), warnings: none };

/**
 * The arguments as they go out. Missing and null become `{}`; what is no object is refused. With `coerce`, text that
 * fits the tool's inputSchema only as a number, boolean, object or list is turned into that and named in `warnings`;
 * everything else stays, and an object without changes is passed on as the same object.
 */
export function prepareArguments(
  args: unknown,
  entry: { readonly server: string; readonly tool: RawTool },
  options: { readonly coerce: boolean },
): Prepared {
  if (args === undefined || args === null) return empty;
  if (typeof args !== "object" || Array.isArray(args)) return refuse(args, entry);
  const record = args as Record<string, unknown>;
  const schema = entry.tool.inputSchema;
  if (!options.coerce || needsNoCoercion(record, schema)) return { ok: true, args: record, warnings: none };
  const warnings: string[] = [];
  const coerced = coerceValue(record, schema, { root: schema, path: "", depth: 0, notes: warnings });
  return { ok: true, args: coerced as Record<string, unknown>, warnings };
}

function refuse(args: unknown, entry: { readonly server: string; readonly tool: RawTool }): Prepared {
  const got = Array.isArray(args) ? "a list" : `a ${typeof args}`;
  const message =
    `tool "${entry.tool.name}" of server "${entry.server}" takes its arguments as one object, got ${got}; ` +
    "nothing was sent. Pass an object such as {} with the fields of its inputSchema";
  return { ok: false, message };
}
