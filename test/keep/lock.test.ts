import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { readFile, readdir, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LockError, withLock } from "../../src/keep/lock.js";
import { startOf } from "../../src/keep/owner.js";
import { temporaryFolder } from "../config/folder.js";

/** Runs when the breaker of a lock is about to be made: what another process may do in that moment. */
let betweenLookAndBreaker: () => void = () => {};
afterEach(() => {
  betweenLookAndBreaker = () => {};
});
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return {
    ...fs,
    openSync: (...given: Parameters<typeof fs.openSync>) => {
      if (String(given[0]).endsWith(".break")) betweenLookAndBreaker();
      return fs.openSync(...given);
    },
  };
});

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

  it.each([
    ["younger than ten seconds is respected", 8_000, false],
    ["older than ten seconds is a crash, and goes", 11_000, true],
  ])("a breaker that is %s", async (_, ageMs, isTaken) => {
    const breaker = `${path}.break`;
    await writeFile(path, JSON.stringify({ pid: await deadPid(), start: "1", host: hostname() }));
    await writeFile(breaker, "");
    await age(breaker, ageMs);

    expect(await entered(isTaken ? 20_000 : 100)).toBe(isTaken);
    expect(await readdir(folder)).toEqual(isTaken ? [] : ["thing.lock", "thing.lock.break"]);
  });

  it("does not break a lock that was renewed between the first look and the breaker", async () => {
    await writeFile(path, JSON.stringify({ pid: await deadPid(), start: "1", host: hostname() }));
    const fresh = JSON.stringify({
      pid: process.pid,
      start: startOf(process.pid),
      host: hostname(),
      nonce: "n",
    });
    // Another process breaks and takes the lock in that moment.
    betweenLookAndBreaker = () => writeFileSync(path, fresh);

    await expect(withLock(path, { waitMs: 100 }, async () => "in")).rejects.toThrow("held by another");

    expect(await readFile(path, "utf8")).toBe(fresh);
    expect(await readdir(folder)).toEqual(["thing.lock"]);
  });

  it.each([
    [80_000, false],
    [95_000, true],
  ])("a live holder's lock of %i ms is taken over: %s", async (ageMs, isTaken) => {
    await writeFile(
      path,
      JSON.stringify({ pid: process.pid, start: startOf(process.pid), host: hostname() }),
    );
    await age(path, ageMs);

    expect(await entered(isTaken ? 20_000 : 100)).toBe(isTaken);
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"pid":1}',
    '{"pid":1,"start":"","host":7}',
    '{"pid":"1","start":"","host":"h"}',
  ])("waits for a lock whose text is %j until it is old", async (text) => {
    await writeFile(path, text);
    await expect(withLock(path, { waitMs: 0 }, async () => "in")).rejects.toThrow("held by another");

    await age(path);
    expect(await withLock(path, { waitMs: 20_000 }, async () => "in")).toBe("in");
  });

  it("tells an error of the file system as it is, and leaves nothing behind", async () => {
    const inFile = join(folder, "file");
    await writeFile(inFile, "");

    await expect(withLock(join(inFile, "a.lock"), {}, async () => "in")).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(await readdir(folder)).toEqual(["file"]);
  });

  it("takes over a lock of another machine only when it is old", async () => {
    await writeFile(path, JSON.stringify({ pid: 1, start: "1", host: "another.example" }));
    await expect(withLock(path, { waitMs: 0 }, async () => "in")).rejects.toThrow("held by another");

    await age(path);
    expect(await withLock(path, { waitMs: 20_000 }, async () => "in")).toBe("in");
  });

  it("takes over a lock whose owner crashed before it wrote its name", async () => {
    await writeFile(path, "");
    await expect(withLock(path, { waitMs: 0 }, async () => "in")).rejects.toThrow("held by another");

    const aWhile = new Date(Date.now() - 15_000);
    await utimes(path, aWhile, aWhile);
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

/** Whether the lock could be had in this time. */
function entered(waitMs: number): Promise<boolean> {
  return withLock(path, { waitMs }, async () => true).catch((error: unknown) => {
    if (!(error instanceof LockError)) throw error;
    return false;
  });
}

async function age(file: string, byMs = 100_000): Promise<void> {
  const long = new Date(Date.now() - byMs);
  await utimes(file, long, long);
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid!;
}
