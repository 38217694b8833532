import { isObject } from "./accepts/children.js";

type Schema = Record<string, unknown>;

/** A value that is likely to fit a provider's schema: what a model with constrained decoding would write. */
export function instanceOf(schema: Schema, random: () => number, root: Schema = schema, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  if (schema["nullable"] === true && random() < 0.3) return null;
  if (typeof schema["$ref"] === "string") {
    const name = schema["$ref"].split("/").at(-1)!;
    const target = (root["$defs"] as Record<string, Schema>)[name]!;
    return depth > 8 ? null : instanceOf(target, random, root, depth + 1);
  }
  if (Array.isArray(schema["anyOf"]))
    return instanceOf(pick(schema["anyOf"] as Schema[]), random, root, depth + 1);
  if (Array.isArray(schema["enum"])) return pick(schema["enum"]);
  const type = pick([schema["type"]].flat());
  switch (typeof type === "string" ? type.toLowerCase() : "any") {
    case "object":
      return objectOf(schema, random, root, depth);
    case "array": {
      const least = Number(schema["minItems"] ?? 0);
      const most = Math.min(Number(schema["maxItems"] ?? least + 2), least + 3);
      const length = least + Math.floor(random() * (most - least + 1));
      const prefix = (schema["prefixItems"] as Schema[] | undefined) ?? [];
      return Array.from({ length }, (_, at) => {
        const item = prefix[at] ?? schema["items"] ?? {};
        return instanceOf(isObject(item) ? item : {}, random, root, depth + 1);
      });
    }
    case "string":
      return pick([
        "",
        "a",
        "abc",
        "ab",
        "b",
        "1",
        "null",
        "true",
        '{"a":1}',
        "[1]",
        "red",
        "x y",
        "2020-01-01",
      ]);
    case "integer":
      return pick([-2, 0, 1, 2, 3, 4, 6]);
    case "number":
      return pick([-2, 0, 0.5, 2, 4, 7.25]);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    default:
      return pick<unknown>(["a", 1, null, true, [], {}, { a: 1 }, [null]]);
  }
}

function objectOf(schema: Schema, random: () => number, root: Schema, depth: number): unknown {
  const required = (schema["required"] as string[] | undefined) ?? [];
  const found: [string, unknown][] = [];
  for (const [name, each] of Object.entries(
    (schema["properties"] as Record<string, Schema> | undefined) ?? {},
  )) {
    if (required.includes(name) || (random() < 0.5 && depth < 6))
      found.push([name, instanceOf(each, random, root, depth + 1)]);
  }
  const more = schema["additionalProperties"];
  if (more !== false && random() < 0.4) {
    const name = ["a", "z", "filter[id]", "otherFields", "x-1"][Math.floor(random() * 5)]!;
    if (!found.some(([known]) => known === name))
      found.push([name, instanceOf(isObject(more) ? more : {}, random, root, depth + 1)]);
  }
  return Object.fromEntries(found);
}
