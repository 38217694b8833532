/** A name that the provider takes: the tool's own where it can be, else a tamed one with a part of its hash. */
export function toolNameFor(name: string, allowed: RegExp, taken: ReadonlySet<string>): string {
  if (allowed.test(name) && !taken.has(name)) return name;
  const tame = name.replace(/[^a-zA-Z0-9_-]/g, "_").replace(/^[^a-zA-Z_]/, "_$&");
  const base = `${tame.slice(0, 55)}_${hash(name)}`;
  let found = base;
  for (let count = 2; taken.has(found); count++) found = `${base.slice(0, 60)}_${count}`;
  return found;
}

/** FNV-1a: short and the same everywhere; no secret depends on it. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
