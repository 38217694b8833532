import { readFileSync } from "node:fs";

/** The version of this package. */
export function version(): string {
  const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
