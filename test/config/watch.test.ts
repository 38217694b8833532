import { mkdir, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { realClock } from "../../src/clock.js";
import { watchFiles } from "../../src/config/files/watch.js";
import { put, temporaryFolder } from "./folder.js";

async function watching(files: readonly string[], pollMs = 600_000) {
  const told: string[][] = [];
  const watch = await watchFiles(files, {
    clock: realClock,
    debounceMs: 20,
    pollMs,
    onChange: (changed) => told.push(changed.map((each) => basename(each))),
  });
  onTestFinished(() => watch.close());
  const until = (count: number) =>
    vi.waitFor(() => expect(told.length).toBeGreaterThanOrEqual(count), { timeout: 20_000 });
  return { told, until, watch };
}

describe("watchFiles", () => {
  it("sees a write in place, two atomic renames, and removal and return", async () => {
    const folder = await temporaryFolder();
    const file = await put(join(folder, "a.json"), "0");
    const { told, until } = await watching([file]);

    await writeFile(file, "1");
    await until(1);
    for (const [count, text] of [
      [2, "2"],
      [3, "3"],
    ] as const) {
      await put(join(folder, "new"), text);
      await rename(join(folder, "new"), file);
      await until(count);
    }
    await unlink(file);
    await until(4);
    await put(file, "3");
    await until(5);

    expect(told.flat().every((each) => each === "a.json")).toBe(true);
  });

  it("tells nothing for the same content, other files, or after it was closed", async () => {
    const folder = await temporaryFolder();
    const file = await put(join(folder, "a.json"), "same");
    const { told, watch } = await watching([file]);

    await writeFile(file, "same");
    await put(join(folder, "other.json"), "1");
    await watch.check();
    watch.close();
    await writeFile(file, "different");
    await watch.check();

    expect(told).toEqual([]);
  });

  it("sees a file come into a folder that was not there", async () => {
    const folder = await temporaryFolder();
    const { told, until } = await watching([join(folder, "later", "a.json")], 50);

    await mkdir(join(folder, "later"));
    await put(join(folder, "later", "a.json"), "1");
    await until(1);

    expect(told).toEqual([["a.json"]]);
  });

  it("follows a symbolic link to another folder, as mounted configuration is done", async () => {
    const folder = await temporaryFolder();
    for (const version of ["v1", "v2"]) {
      await mkdir(join(folder, version));
      await put(join(folder, version, "a.json"), version);
    }
    await symlink("v1/a.json", join(folder, "a.json"));
    const { told, until } = await watching([join(folder, "a.json")]);

    await writeFile(join(folder, "v1", "a.json"), "v1 changed");
    await until(1);
    await symlink("v2/a.json", join(folder, "next"));
    await rename(join(folder, "next"), join(folder, "a.json"));
    await until(2);

    expect(told).toEqual([["a.json"], ["a.json"]]);
  });

  it("survives the removal of the folder and finds it again by polling", async () => {
    const folder = await temporaryFolder();
    const inner = join(folder, "inner");
    await mkdir(inner);
    const file = await put(join(inner, "a.json"), "1");
    const { told, until } = await watching([file], 50);

    await rm(inner, { recursive: true });
    await until(1);
    await mkdir(inner);
    await put(file, "2");
    await until(2);

    expect(told).toEqual([["a.json"], ["a.json"]]);
  });
});
