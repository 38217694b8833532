import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { lstat, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createOnce } from "../../keep/atomic.js";
import { ownFolder } from "../../keep/private.js";

/** Which token of a state folder. */
export type TokenKind =
  /** May do everything. */
  | "service"
  /** May see and call tools, and neither decides nor edits. */
  | "agent";

/** Where a token of a state folder lies. */
export function tokenPath(home: string, kind: TokenKind = "service"): string {
  return join(home, `${kind}.token`);
}

/**
 * A token of this state folder: 256 random bits as base64url in a file of mode 0600, made at the first start.
 * Rejects when the file is a link, somebody else's, or open to other users of this machine.
 */
export async function ensureToken(home: string, kind: TokenKind = "service"): Promise<string> {
  await ownFolder(home);
  await createOnce(tokenPath(home, kind), `${newToken()}\n`);
  return readToken(home, kind);
}

/** Reads a token; rejects like `ensureToken`, and when there is none yet. */
export async function readToken(home: string, kind: TokenKind = "service"): Promise<string> {
  const path = tokenPath(home, kind);
  await assertPrivate(path);
  const token = (await readFile(path, "utf8")).trim();
  if (!/^[A-Za-z0-9_-]{43}$/.test(token)) {
    throw new Error(
      `${path} does not hold a token of this program; delete it and start again to make a new one`,
    );
  }
  return token;
}

/** Replaces the token. A running service keeps the old one until it is started again. */
export async function rotateToken(home: string): Promise<string> {
  await ownFolder(home);
  const next = `${tokenPath(home)}.${randomBytes(8).toString("hex")}`;
  const token = newToken();
  await writeFile(next, `${token}\n`, { flag: "wx", mode: 0o600 });
  await rename(next, tokenPath(home));
  return token;
}

/** Compares in constant time whatever the lengths are: both sides are hashed first. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

async function assertPrivate(path: string): Promise<void> {
  const stat = await lstat(path);
  if (!stat.isFile()) throw new Error(`${path} must be a plain file`);
  if (process.getuid !== undefined && stat.uid !== process.getuid()) {
    throw new Error(`${path} belongs to another user; delete it and start again to make a new token`);
  }
  if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) {
    throw new Error(`${path} can be read by other users of this machine; run: chmod 600 ${path}`);
  }
}
