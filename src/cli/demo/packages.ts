import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";

/** The script that a package of one command starts; undefined when it is not installed. */
export function entryOf(name: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: string | Record<string, string> };
    const script = typeof bin === "string" ? bin : Object.values(bin)[0];
    return script === undefined ? undefined : resolve(dirname(manifest), script);
  } catch {
    return undefined;
  }
}
