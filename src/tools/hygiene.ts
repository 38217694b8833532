import type { Limits } from "../spec.js";
import type { RawTool } from "../protocol/mcp.js";
import { isWithin } from "./measure.js";
import { repairTool } from "./repairTool.js";

/** A server's list after a look at each entry. `warnings` name the tool, or its place in the list, and the reason. */
export interface CleanTools {
  readonly tools: readonly RawTool[];
  readonly warnings: readonly string[];
}

/** Nesting of a schema; a model needs no more, and walks over it stay short. */
const deepest = 64;

/**
 * Sorts out what `tools/list` brought, so that one malformed tool never hides the others. A sound tool is passed on as
 * the same object with its schemas as sent. What can be mended is mended and told (repairTool.ts); what has no name, a
 * schema that is too large or too deep, or comes after the limit is withheld and told. A double name keeps the first.
 */
export function cleanTools(
  raw: readonly unknown[],
  limits: Pick<Limits, "tools" | "schemaBytes">,
): CleanTools {
  const tools: RawTool[] = [];
  const warnings: string[] = [];
  const names = new Set<string>();
  let over = 0;
  for (let at = 0; at < raw.length; at++) {
    const each = raw[at];
    const named = nameOf(each);
    if (typeof named !== "string") {
      warnings.push(`tool ${at + 1} of the list is withheld: it ${named.reason}`);
    } else if (names.has(named)) {
      warnings.push(`tool ${quote(named)} is there twice; the first one is used`);
    } else if (tools.length >= limits.tools) {
      over++;
    } else {
      names.add(named);
      const reason = tooLarge(each as RawTool, limits.schemaBytes);
      if (reason === undefined) tools.push(repairTool(each as RawTool, warnings));
      else warnings.push(`tool ${quote(named)} is withheld: ${reason}`);
    }
  }
  if (over > 0)
    warnings.push(`${over} tools are withheld: the list is longer than the limit of ${limits.tools}`);
  return { tools, warnings };
}

function nameOf(each: unknown): string | { readonly reason: string } {
  if (typeof each !== "object" || each === null || Array.isArray(each)) {
    return { reason: `is ${each === null ? "null" : "no object"}` };
  }
  const name: unknown = Reflect.get(each, "name");
  if (typeof name !== "string")
    return { reason: name === undefined ? "has no name" : "has a name that is no text" };
  return name === "" ? { reason: "has an empty name" } : name;
}

const schemas = ["inputSchema", "outputSchema"] as const;

function tooLarge(tool: RawTool, schemaBytes: number): string | undefined {
  for (const field of schemas) {
    if (tool[field] === undefined) continue;
    const { bytes, depth } = isWithin(tool[field], { bytes: schemaBytes, depth: deepest });
    if (!depth) return `its ${field} is nested deeper than ${deepest}`;
    if (!bytes) return `its ${field} is larger than ${schemaBytes} bytes`;
  }
  return undefined;
}

function quote(name: string): string {
  return JSON.stringify(name.length > 128 ? `${name.slice(0, 128)}…` : name);
}
