import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

/*
 * Families of processes in tests. Each is on a leash: a file whose path stands in the command line of every member, and
 * without which they end by themselves within a second or two. The file is removed after the test; when this process
 * dies before that, the keeper removes all its leashes and ends whoever is stopped.
 */

const fixtures = resolve(import.meta.dirname, "../fixtures/processes");
/** Nothing may be seen of a family for so long before it counts as gone: what hops hides from a single look. */
export const quietMs = 2000;
const pollMs = 50;

let folder: string | undefined;

function leashes(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), "mcpvisor-leash-"));
  const keeper = spawn("sh", [join(fixtures, "keeper.sh"), made], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  keeper.unref();
  const { stdin } = keeper;
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return (folder = made);
}

/** The leash of a new family: its path shows up in the command lines of that family, and nowhere else. */
export function newToken(): string {
  const token = join(leashes(), `tok${randomBytes(8).toString("hex")}`);
  writeFileSync(token, "");
  return token;
}

/** Live processes whose command line holds the word, as `ps` sees them: an oracle apart from the code under test. */
export function withToken(...tokens: readonly string[]): number[] {
  const names = tokens.map((token) => basename(token));
  return execFileSync("ps", ["-A", "-ww", "-o", "pid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => names.some((name) => line.includes(name)) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10));
}

/**
 * Looks until nobody of these families was seen for two seconds, which gives nobody, or gives who is left in the end: the
 * watchdog has a minute.
 */
export async function left(tokens: readonly string[], withinMs = 60_000): Promise<readonly number[]> {
  const begun = performance.now();
  for (let last = begun; ; ) {
    const seen = withToken(...tokens);
    const now = performance.now();
    if (seen.length > 0) last = now;
    if (now - last >= quietMs) return [];
    if (seen.length > 0 && now - begun >= withinMs) return seen;
    await new Promise((tick) => setTimeout(tick, pollMs));
  }
}

/** Ends families after their test, whatever has become of them: without a leash even those end that no look shows. */
export async function endFamily(...tokens: readonly string[]): Promise<void> {
  for (const token of tokens) rmSync(token, { force: true });
  for (let seen = withToken(...tokens); seen.length > 0; seen = withToken(...tokens)) {
    for (const pid of seen) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone in between.
      }
    }
    await new Promise((tick) => setTimeout(tick, pollMs));
  }
}
