/**
 * An array that is what `read` gives at each look: for frameworks that take a list of tools once and read it before
 * every step.
 */
export function liveArray<T>(read: () => readonly T[]): T[] {
  const target: T[] = [];
  let seen: readonly T[] | undefined;
  return new Proxy(
    target,
    syncing(target, () => {
      const now = read();
      if (now === seen) return;
      seen = now;
      target.splice(0, target.length, ...now);
    }),
  );
}

/** A record that is what `read` gives at each look; `hidden` answers for keys that are not listed. */
export function liveRecord<T>(
  read: () => Readonly<Record<string, T>>,
  hidden: (key: string) => T | undefined = () => undefined,
): Record<string, T> {
  const target: Record<string, T> = {};
  let seen: Readonly<Record<string, T>> | undefined;
  const sync = () => {
    const now = read();
    if (now === seen) return;
    seen = now;
    for (const key of Object.keys(target)) delete target[key];
    Object.assign(target, now);
  };
  const traps = syncing(target, sync);
  const find = (key: string | symbol) =>
    typeof key === "string" && !(key in target) ? hidden(key) : undefined;
  return new Proxy(target, {
    ...traps,
    get: (_, key) => (sync(), find(key) ?? Reflect.get(target, key)),
    has: (_, key) => (sync(), find(key) !== undefined || Reflect.has(target, key)),
    getOwnPropertyDescriptor: (_, key) => {
      sync();
      const value = find(key);
      if (value === undefined) return Reflect.getOwnPropertyDescriptor(target, key);
      return { value, enumerable: false, configurable: true, writable: false };
    },
  });
}

function syncing<T extends object>(target: T, sync: () => void): ProxyHandler<T> {
  return {
    get: (_, key) => (sync(), Reflect.get(target, key)),
    has: (_, key) => (sync(), Reflect.has(target, key)),
    ownKeys: () => (sync(), Reflect.ownKeys(target)),
    getOwnPropertyDescriptor: (_, key) => (sync(), Reflect.getOwnPropertyDescriptor(target, key)),
  };
}
