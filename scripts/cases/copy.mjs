// The acceptance programs in a folder of their own, in today's words.
import { cpSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The programs were written when the mode `allow-all` let every tool of a trusted server run. That mode is called
 * `allow-trusted` now; `allow-all` asks about what has no hint, and nobody would answer a program.
 */
export function inTodaysWords(text) {
  return text.replaceAll(/(["'`])allow-all\1/g, "$1allow-trusted$1");
}

/** A copy that may be run; the caller removes it. */
export function copyOf(folder) {
  const copy = mkdtempSync(join(tmpdir(), "mv-cases-"));
  cpSync(folder, copy, { recursive: true });
  for (const name of readdirSync(copy).filter((each) => each.endsWith(".mjs")))
    writeFileSync(join(copy, name), inTodaysWords(readFileSync(join(folder, name), "utf8")), { mode: 0o644 });
  return copy;
}
