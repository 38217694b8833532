import { isObject, isSchema } from "./node.js";
import type { AnySchema, JsonSchema } from "../contract/schema.js";

/** Finds what the references of one root schema mean. Nothing outside the schema is ever looked up. */
export interface Refs {
  resolve(ref: string): AnySchema | undefined;
  /** Whether what the reference means contains itself. */
  recursive(ref: string): boolean;
}

export function refsOf(root: JsonSchema): Refs {
  const named = new Map<string, AnySchema>();
  collectNames(root, named, 0);
  const base = typeof root["$id"] === "string" ? root["$id"] : "";
  const known = new Map<string, boolean>();

  const resolve = (ref: string): AnySchema | undefined => {
    const local = base !== "" && ref.startsWith(base) ? ref.slice(base.length) || "#" : ref;
    if (local === "#") return root;
    if (local.startsWith("#/")) return pointed(root, local.slice(2));
    return named.get(local.startsWith("#") ? local.slice(1) : local);
  };

  const recursive = (ref: string): boolean => {
    const answer = known.get(ref);
    if (answer !== undefined) return answer;
    const seen = new Set<string>();
    const target = resolve(ref);
    const todo = refsIn(target);
    let found = false;
    while (todo.length > 0 && !found) {
      const next = todo.pop()!;
      if (next === ref || resolve(next) === target) found = true;
      else if (!seen.has(next)) {
        seen.add(next);
        todo.push(...refsIn(resolve(next)));
      }
    }
    known.set(ref, found);
    return found;
  };

  return { resolve, recursive };
}

function pointed(root: JsonSchema, pointer: string): AnySchema | undefined {
  let at: unknown = root;
  for (const raw of pointer.split("/")) {
    const step = unescapeStep(raw);
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return isSchema(at) ? at : undefined;
}

function unescapeStep(raw: string): string {
  let step = raw;
  try {
    step = decodeURIComponent(raw);
  } catch {
    // A stray percent sign means itself.
  }
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function collectNames(value: unknown, named: Map<string, AnySchema>, depth: number): void {
  if (depth > 64) return;
  if (Array.isArray(value)) for (const each of value) collectNames(each, named, depth + 1);
  else if (isObject(value)) {
    for (const key of ["$anchor", "$dynamicAnchor", "$id", "id"]) {
      const name = value[key];
      if (typeof name === "string" && depth > 0) named.set(name.replace(/^#/, ""), value);
    }
    for (const each of Object.values(value)) collectNames(each, named, depth + 1);
  }
}

/** All references below a schema; data such as enum values may look like one, which costs nothing but a definition. */
function refsIn(schema: unknown, depth = 0, found: string[] = []): string[] {
  if (depth > 64) return found;
  if (Array.isArray(schema)) for (const each of schema) refsIn(each, depth + 1, found);
  else if (isObject(schema)) {
    for (const [key, value] of Object.entries(schema)) {
      if (/^\$(?:ref|dynamicRef|recursiveRef)$/.test(key) && typeof value === "string") found.push(value);
      else if (!/^(?:\$defs|definitions)$/.test(key)) refsIn(value, depth + 1, found);
    }
  }
  return found;
}
