import { readFileSync } from "node:fs";

/** The package's version, as its package.json says. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { version?: string };
  return version ?? "0.0.0";
}
