/** A name that the provider takes for a property, different from those that are taken. */
export function keyFor(name: string, allowed: RegExp | undefined, taken: ReadonlySet<string>): string {
  const fine = allowed === undefined || allowed.test(name);
  const base = fine ? name : tame(name, allowed);
  let key = base;
  for (let count = 2; taken.has(key); count++) key = `${base.slice(0, 60)}_${count}`;
  return key;
}

function tame(name: string, allowed: RegExp): string {
  const words = name.replace(/[^a-zA-Z0-9_]+/g, "_").replace(/^_+(?=.)|(?<=.)_+$/g, "");
  const key = words.slice(0, 64) || "field";
  return allowed.test(key) ? key : `p_${key.slice(0, 60)}`;
}
