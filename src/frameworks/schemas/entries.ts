import { isObject } from "./node.js";
import type { Back, Part } from "../contract/schema.js";

/** An object with keys that nobody knows before, as a list of keys and values. */
export function entriesOf(value: Part): Part {
  return {
    schema: {
      type: "array",
      description: "An object, as a list of its keys and values.",
      items: {
        type: "object",
        properties: { key: { type: "string" }, value: value.schema },
        required: ["key", "value"],
        additionalProperties: false,
      },
    },
    back: (list) => Object.fromEntries(pairs(list, value.back)),
  };
}

/** The pairs of such a list, or of the object itself if the model wrote one. */
export function pairs(list: unknown, back: Back | undefined): [string, unknown][] {
  const found: [string, unknown][] = [];
  if (Array.isArray(list)) {
    for (const each of list) {
      if (isObject(each) && typeof each["key"] === "string") found.push([each["key"], each["value"]]);
    }
  } else if (isObject(list)) found.push(...Object.entries(list));
  return back === undefined ? found : found.map(([key, value]) => [key, back(value)]);
}
