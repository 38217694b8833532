import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isRunning, startOf } from "./owner.js";

export interface LockOptions {
  /** Ends the waiting; the reason is what `withLock` then rejects with. */
  readonly signal?: AbortSignal;
  /** How long to wait for somebody else's lock, in milliseconds. Default 60,000. */
  readonly waitMs?: number;
}

/**
 * The lock while it is held. A holder that was stopped or slept for longer than a lock may last has lost it without
 * knowing: whoever writes looks here first (a fence).
 */
export interface HeldLock {
  /** Whether the lock file is still this holder's own. */
  readonly held: boolean;
  /** Throws LockError when it is not. */
  check(): void;
}

/** Thrown when a lock cannot be had in time, or was lost to another process; the message names the file. */
export class LockError extends Error {
  override readonly name = "LockError";
}

const POLL_MS = 40;
/** A lock this old is taken over, even from a holder that seems to live: it was stopped, or its pid says nothing here. */
const DEAD_AFTER_MS = 90_000;
/** Breaking a lock, or writing its owner into it, takes microseconds: whoever is at it this long has crashed. */
const CRASHED_AFTER_MS = 10_000;

/** Runs `work` while no other process holds the lock file at `path`; takes over the lock of a dead process. */
export async function withLock<T>(
  path: string,
  options: LockOptions,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const owner = JSON.stringify({
    pid: process.pid,
    start: startOf(process.pid),
    host: hostname(),
    nonce: randomBytes(6).toString("hex"),
  });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const until = Date.now() + (options.waitMs ?? 60_000);
  while (!create(path, owner)) {
    if (breakStale(path, Date.now())) continue;
    if (Date.now() > until) throw new LockError(`${path} is held by another process; try again`);
    await pause(POLL_MS, undefined, { signal: options.signal }).catch(() => {
      throw options.signal?.reason;
    });
  }
  const lock: HeldLock = {
    get held() {
      return read(path) === owner;
    },
    check() {
      if (!this.held)
        throw new LockError(
          `${path} was taken over by another process while this one stood still; try again`,
        );
    },
  };
  try {
    return await work(lock);
  } finally {
    if (lock.held) rmSync(path, { force: true });
  }
}

function create(path: string, text: string): boolean {
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      writeSync(file, text);
    } catch (error) {
      // No space: a lock that says nothing of its owner would only keep others out.
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Two waiters must not break each other's fresh lock, so breaking has a lock of its own; all of it is synchronous. */
function breakStale(path: string, now: number): boolean {
  if (!isStale(path, now)) return false;
  const breaker = `${path}.break`;
  if (!create(breaker, "")) {
    if (ageOf(breaker, now) > CRASHED_AFTER_MS) rmSync(breaker, { force: true });
    return false;
  }
  try {
    if (!isStale(path, now)) return false;
    rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(breaker, { force: true });
  }
}

function isStale(path: string, now: number): boolean {
  const text = read(path);
  if (text === undefined) return false;
  if (ageOf(path, now) > DEAD_AFTER_MS) return true;
  const owner = parseOwner(text);
  // An empty file is a lock between its creation and its first write.
  if (owner === undefined) return ageOf(path, now) > CRASHED_AFTER_MS;
  // Another host's pids say nothing here.
  if (owner.host !== hostname()) return false;
  return !isRunning(owner.pid, owner.start);
}

function parseOwner(text: string): { pid: number; start: string; host: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const { pid, start, host } = value as Record<string, unknown>;
    if (typeof pid !== "number" || typeof start !== "string" || typeof host !== "string") return undefined;
    return { pid, start, host };
  } catch {
    // Half written: the owner is at it right now, or its age will tell.
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Gone (or not for us to read): the same as no lock; creating it will tell.
    return undefined;
  }
}

function ageOf(path: string, now: number): number {
  try {
    return now - statSync(path).mtimeMs;
  } catch {
    // Gone in the meantime: not old.
    return 0;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
