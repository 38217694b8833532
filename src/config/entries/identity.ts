import { shortHash } from "./hash.js";

const idShape = /^[a-z0-9_-]{1,32}$/;

/** What an id must look like, in words for the user. */
export const idRule = "1 to 32 characters of a-z, 0-9, - and _";

/** Whether a text may be a server's id. `__proto__` never may: it would be a trap for every plain object. */
export function isId(text: string): boolean {
  return idShape.test(text) && text !== "__proto__";
}

/** Why a text cannot be the name of a server, or undefined when it can. Names are free text, ids are not. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "a server needs a name that is not empty";
  if (name === "__proto__") return "__proto__ cannot be the name of a server";
  if (name.length > 128) return "the name is longer than 128 characters";
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) return "the name holds invisible characters";
  return undefined;
}

/**
 * The id of a server that a file names freely: the name itself when it fits, otherwise a readable stem with a tail
 * that depends on the name alone, so that it is the same at every start. Never one of `taken`.
 */
export function idFor(name: string, taken: ReadonlySet<string> = new Set()): string {
  if (isId(name) && !taken.has(name)) return name;
  const stem = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 24)
    .replace(/-+$/, "");
  for (let attempt = 0; ; attempt++) {
    const tail = shortHash(attempt === 0 ? name : `${name}\u0000${attempt}`).slice(0, 7);
    const id = stem === "" ? `server-${tail}` : `${stem}-${tail}`;
    if (!taken.has(id)) return id;
  }
}
