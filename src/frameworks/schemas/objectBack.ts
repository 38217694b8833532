import { pairs } from "./entries.js";
import { isObject } from "./node.js";
import type { Back } from "../contract/schema.js";

/** A property as the provider knows it. */
export interface Slot {
  /** Its name in the tool's schema. */
  readonly name: string;
  readonly back: Back | undefined;
  /** Null says that it is left out. */
  readonly leaveOutNull: boolean;
}

/**
 * How an object comes back. `others` is what happens to keys that no slot knows: the way back of their values, a key
 * under which they are listed, or `drop`.
 */
export function objectBack(
  slots: ReadonlyMap<string, Slot>,
  hidden: ReadonlySet<string>,
  others: Back | { readonly key: string; readonly back: Back | undefined } | "drop" | undefined,
): Back | undefined {
  const plain = [...slots].every(
    ([key, slot]) => key === slot.name && slot.back === undefined && !slot.leaveOutNull,
  );
  if (plain && hidden.size === 0 && others === undefined) return undefined;
  const names = new Set([...slots.values()].map((slot) => slot.name));

  return (value) => {
    if (!isObject(value)) return value;
    const found: [string, unknown][] = [];
    for (const [key, each] of Object.entries(value)) {
      const slot = slots.get(key);
      if (slot !== undefined) {
        if (each === null && slot.leaveOutNull) continue;
        found.push([slot.name, slot.back === undefined ? each : slot.back(each)]);
      } else if (typeof others === "object") {
        if (key === others.key) found.push(...pairs(each, others.back).filter(([name]) => !names.has(name)));
      } else if (others !== "drop" && !hidden.has(key)) {
        found.push([key, others === undefined ? each : others(each)]);
      }
    }
    return Object.fromEntries(found);
  };
}
