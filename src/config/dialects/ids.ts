import { idFor, isId } from "../entries/identity.js";
import type { RawEntry } from "./raw.js";

/** The ids of a file's entries, in their order; names that fit keep theirs whatever comes before them. */
export function idsOf(entries: readonly RawEntry[]): string[] {
  const taken = new Set(entries.map((each) => each.name).filter(isId));
  return entries.map(({ name, dialect }) => {
    if (isId(name) || dialect === "settings") return name;
    const id = idFor(name, taken);
    taken.add(id);
    return id;
  });
}
