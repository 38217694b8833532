import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../src");

/** Files that write where a folder is there for certain, and why. */
const exempt: Record<string, string> = {
  "cli/commands/import.ts": "writes beside the file it has read",
  "process/containment/cgroup.ts": "writes into the kernel's folders, which it makes by itself",
  "testing/record.ts": "the host names the file",
};

const writes =
  /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream)\(|\b(?:open|openSync)\([^)]*"[aw]/;
const makesFolder = /\b(?:mkdir|mkdirSync|ownFolder)\(/;

describe("whatever is kept in the state folder", () => {
  it("makes that folder first: each file of the source that writes does, or goes by what does", () => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    const writing = files.filter((name) => writes.test(readFileSync(join(root, name), "utf8")));
    const without = writing.filter((name) => !makesFolder.test(readFileSync(join(root, name), "utf8")));

    expect(writing.length).toBeGreaterThan(5);
    expect(without.filter((name) => exempt[name] === undefined)).toEqual([]);
  });
});
