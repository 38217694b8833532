import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { UsageError } from "../context/exitCodes.js";

/** The script that a package of one command starts; a UsageError that says what to install when it is absent. */
export function entryOf(name: string): string {
  const manifest = locate(name);
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: string | Record<string, string> };
  const script = typeof bin === "string" ? bin : Object.values(bin)[0];
  if (script === undefined)
    throw new UsageError(`the package ${name} has no command; install another version of it`);
  return resolve(dirname(manifest), script);
}

function locate(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(`${name}/package.json`);
  } catch (error) {
    throw new UsageError(
      `the demo needs the package ${name}, which is not installed; run: npm install --save-dev ${name}`,
      { cause: error },
    );
  }
}
