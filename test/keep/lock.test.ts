import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, readdir, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { LockError, withLock } from "../../src/keep/lock.js";
import { temporaryFolder } from "../config/folder.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder, "thing.lock");
});

describe("withLock", () => {
  it("lets one in at a time", async () => {
    const log: string[] = [];
    const work = (name: string) =>
      withLock(path, {}, async () => {
        log.push(`${name} in`);
        await new Promise(setImmediate);
        log.push(`${name} out`);
      });

    await Promise.all([work("a"), work("b")]);

    expect(log[1]).toBe(`${log[0]?.[0]} out`);
    expect(log[3]).toBe(`${log[2]?.[0]} out`);
  });

  it.each([
    ["a dead process", async () => ({ pid: await deadPid(), start: "1", host: hostname() })],
    [
      "another process that got the same pid",
      async () => ({ pid: process.pid, start: "1", host: hostname() }),
    ],
  ])("takes over the lock of %s", async (_, owner) => {
    await writeFile(path, JSON.stringify(await owner()));

    expect(await withLock(path, { waitMs: 20_000 }, async () => "in")).toBe("in");
    expect(await readdir(folder)).toEqual([]);
  });

  it("takes over a lock of another machine only when it is old", async () => {
    await writeFile(path, JSON.stringify({ pid: 1, start: "1", host: "another.example" }));
    await expect(withLock(path, { waitMs: 0 }, async () => "in")).rejects.toThrow("held by another");

    await age(path);
    expect(await withLock(path, { waitMs: 20_000 }, async () => "in")).toBe("in");
  });

  it("is given back when the work fails", async () => {
    await expect(withLock(path, {}, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await readdir(folder)).toEqual([]);
  });

  it("ends its waiting with the reason of the signal", async () => {
    const leaving = new AbortController();

    await withLock(path, {}, async () => {
      const waiting = withLock(path, { signal: leaving.signal }, async () => "in");
      leaving.abort(new Error("no longer wanted"));
      await expect(waiting).rejects.toThrow("no longer wanted");
    });

    expect(existsSync(path)).toBe(false);
  });

  it("tells a holder that stood still for too long that the lock is another's, and leaves that one alone", async () => {
    await withLock(path, {}, async (first) => {
      expect(first.held).toBe(true);
      first.check();
      await age(path);

      await withLock(path, {}, async (second) => {
        expect(first.held).toBe(false);
        expect(() => first.check()).toThrow(LockError);
        expect(() => first.check()).toThrow(path);
        expect(second.held).toBe(true);
        const theirs = await readFile(path, "utf8");
        await withLock(join(folder, "other.lock"), {}, async () => {});
        expect(await readFile(path, "utf8")).toBe(theirs);
      });
    });

    expect(await readdir(folder)).toEqual([]);
  });

  it("does not give back what was taken over meanwhile", async () => {
    const gate = new EventEmitter();
    const slow = withLock(path, {}, async () => void (await once(gate, "open")));
    await age(path);

    await withLock(path, {}, async (lock) => {
      gate.emit("open");
      await slow;
      expect(lock.held).toBe(true);
    });
  });
});

async function age(file: string): Promise<void> {
  const long = new Date(Date.now() - 100_000);
  await utimes(file, long, long);
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid!;
}
