import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { describe, expect, it } from "vitest";
import { writeAtomic } from "../../src/keep/atomic.js";
import { temporaryFolder } from "../config/folder.js";

/** A program that replaces a file for ever, with a text that tells its round and whether it is whole. */
const saver = `
import { writeAtomic } from "./atomic.js";
process.stdout.write("ready");
for (let round = 1; ; round++) {
  await writeAtomic(process.argv[2], JSON.stringify({ round, fill: "a".repeat(50000 + round), end: true }));
}`;

describe("writeAtomic", () => {
  it("leaves the old or the new file, whole, wherever it is killed", { timeout: 240_000 }, async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "target.json");
    const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
    for (const name of ["atomic", "owner"]) {
      const source = await readFile(new URL(`../../src/keep/${name}.ts`, import.meta.url), "utf8");
      await writeFile(join(folder, `${name}.js`), transpileModule(source, { compilerOptions }).outputText);
    }
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await writeFile(join(folder, "saver.mjs"), saver);
    await writeAtomic(file, JSON.stringify({ round: 0, fill: "a".repeat(50_000), end: true }));

    for (let point = 0; point < 40; point++) {
      const child = spawn(process.execPath, [join(folder, "saver.mjs"), file], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      // Points spread over several rounds of writing: a fixed stride that never falls into step with them.
      await pause((point * 7.3) % 40);
      child.kill("SIGKILL");
      await once(child, "exit");

      const { round, fill, end } = JSON.parse(await readFile(file, "utf8")) as Record<string, never>;
      expect({ end, length: String(fill).length - Number(round) }).toEqual({ end: true, length: 50_000 });
    }

    await writeAtomic(file, "last");
    expect((await readdir(folder)).toSorted()).toEqual([
      "atomic.js",
      "owner.js",
      "package.json",
      "saver.mjs",
      "target.json",
    ]);
  });

  it("makes files that only their owner can read, unless told otherwise", async () => {
    const folder = await temporaryFolder();

    await writeAtomic(join(folder, "a"), "1");
    await writeAtomic(join(folder, "b"), "1", 0o644);

    expect((await stat(join(folder, "a"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "b"))).mode & 0o777).toBe(0o644);
  });

  it("writes through a link, and refuses one that leads nowhere", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "real"), "old");
    await symlink(join(folder, "real"), join(folder, "good"));
    await symlink(join(folder, "none"), join(folder, "dangling"));

    await writeAtomic(join(folder, "good"), "new");
    await expect(writeAtomic(join(folder, "dangling"), "new")).rejects.toThrow(
      /is a link to .*none, which does not exist/,
    );

    expect(await readFile(join(folder, "real"), "utf8")).toBe("new");
    expect((await lstat(join(folder, "good"))).isSymbolicLink()).toBe(true);
    expect((await lstat(join(folder, "dangling"))).isSymbolicLink()).toBe(true);
    expect((await readdir(folder)).toSorted()).toEqual(["dangling", "good", "real"]);
  });

  it("makes a missing folder for its owner alone", async () => {
    const folder = join(await temporaryFolder(), "state", "deep");

    await writeAtomic(join(folder, "a"), "1");

    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it("removes what it began when it fails, and leaves files of living writers alone", async () => {
    const folder = await temporaryFolder();
    const others = `.a.${process.pid}.0123.tmp`;
    await writeFile(join(folder, others), "being written");

    await writeAtomic(join(folder, "a"), "1");
    await expect(writeAtomic(join(folder, "a", "b"), "1")).rejects.toThrow(/EEXIST|ENOTDIR/);

    expect((await readdir(folder)).toSorted()).toEqual([others, "a"]);
  });
});
