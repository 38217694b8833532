import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support.js";
import { firstComes, stores } from "./stores/stores.mjs";

const root = resolve(import.meta.dirname, "../..");
let built = "";
beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), "mcpvisor-modules-"));
  symlinkSync(join(root, "node_modules"), join(built, "node_modules"));
  execFileSync(process.execPath, [join(root, "scripts/bundle.mjs"), "--apart", join(built, "src")]);
  // Reading in this process goes through them, too.
  process.env["MODULES"] = join(built, "src");
}, 120_000);
afterAll(() => {
  delete process.env["MODULES"];
  rmSync(built, { recursive: true, force: true });
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** A process that keeps things; `told` are those it said were kept, and with `dies` it is killed after so many. */
async function writer(args: readonly string[], dies = Infinity): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "stores/writer.mjs"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let out = "";
  let err = "";
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
    if (out.split("\n").length > dies) child.kill("SIGKILL");
  });
  await once(child, "close");
  if (dies === Infinity && child.exitCode !== 0) throw new Error(`a writer failed: ${err}`);
  return out.split("\n").filter((line) => line !== "");
}

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((each) => each.isFile()).map((each) => each.name);
}

describe("a state folder with several hosts", { timeout: 120_000 }, () => {
  it.each(stores)("keeps everything that eight processes write into $name at once", async (store) => {
    const home = temporaryFolder();
    const things = store.things ?? Array.from({ length: 8 }, (_, at) => `t${at}`);

    const told = await Promise.all(things.map((thing) => writer([store.name, home, thing])));

    expect(told.flat().toSorted()).toEqual(things.toSorted());
    expect((await store.read(home)).toSorted()).toEqual(things.toSorted());
    expect((await filesBelow(home)).filter((each) => /\.(lock|tmp)$/.test(each))).toEqual([]);
  });

  it.each(stores)(
    "keeps in $name what was told as kept, when writers are killed in the middle",
    async (store) => {
      const home = temporaryFolder();
      const things = store.things ?? Array.from({ length: 24 }, (_, at) => `t${at}`);
      const share = things.length / 4;
      const plans = Array.from({ length: 4 }, (_, at) => things.slice(at * share, (at + 1) * share));

      // One dies with nothing told, others later, and one lives to tell.
      const told = await Promise.all(
        plans.map((plan, at) => writer([store.name, home, ...plan], [1, 2, 4][at])),
      );

      const kept = await store.read(home);
      const keptOfTold = kept.filter((each) => told.flat().includes(each));
      expect(keptOfTold).toHaveLength(Math.min(told.flat().length, store.most ?? Infinity));
      expect(told.at(-1)).toHaveLength(plans.at(-1)?.length ?? 0);
    },
  );

  it.each(firstComes)("has one $name, whoever makes it", async ({ name }) => {
    const home = temporaryFolder();

    const seen = await Promise.all(Array.from({ length: 8 }, () => writer([name, home])));

    expect(new Set(seen.flat()).size).toBe(1);
    expect(seen.every((lines) => lines.length === 1)).toBe(true);
    expect(await filesBelow(home)).toEqual([name]);
  });

  it("knows every module that writes files which others write, too", async () => {
    const known = [...stores, ...firstComes].flatMap(({ modules }) => modules);
    const source = join(root, "src");
    const found: string[] = [];
    for (const each of await readdir(source, { recursive: true })) {
      if (!each.endsWith(".ts") || each.startsWith("keep")) continue;
      const text = await readFile(join(source, each), "utf8");
      if (/from "(\.\.\/)+keep\/(atomic|shared|lock)\.js"/.test(text))
        found.push(each.replace(/\.ts$/, "").replaceAll("\\", "/"));
    }

    // A login waits for its turn with a lock and writes nothing under it; files of other hosts are no stores of ours.
    const others = ["auth/login/login", "config/attach/attach"];
    expect(found.toSorted()).toEqual([...new Set([...known, ...others])].toSorted());
  });
});
