import type { AuthorizedServer } from "./contract.js";
import { isObject } from "./door/json.js";
import { AuthError } from "./door/problem.js";
import { peekAccount } from "./grants/store.js";
import { keyOf } from "./servers.js";

/** What is known of a server's account without its secrets. */
export interface AccountOverview {
  readonly server: string;
  readonly url: string;
  readonly account: string;
  /** `unreadable`: `problem` says why. */
  readonly state: "logged-in" | "logged-out" | "ended" | "unreadable";
  readonly issuer?: string;
  readonly scopes?: readonly string[];
  /** Epoch ms at which the access token ends; absent when the issuer did not say. */
  readonly expiresAt?: number;
  /** Sealed with a key of the OS keyring, or readable by the owner of the file. */
  readonly keptIn?: "sealed-file" | "file";
  readonly problem?: string;
}

/** Reads the open part of an account's file: no key is needed, and no secret is returned. */
export async function overviewOf(home: string, server: AuthorizedServer): Promise<AccountOverview> {
  const key = keyOf(server);
  const about = { server: server.id, url: key.url, account: key.account };
  try {
    const open = await peekAccount(home, key);
    if (open === undefined) return { ...about, state: "logged-out" };
    const keptIn = typeof open["sealed"] === "string" ? "sealed-file" : "file";
    const { grant, lost } = open;
    if (!isObject(grant)) {
      if (!isObject(lost)) return { ...about, state: "logged-out", keptIn };
      return {
        ...about,
        state: "ended",
        keptIn,
        problem: `${String(lost["reason"])}: ${String(lost["message"])}`,
      };
    }
    const { issuer, scopes, obtainedAt, expiresIn } = grant;
    return {
      ...about,
      state: "logged-in",
      keptIn,
      ...(typeof issuer === "string" && { issuer }),
      ...(Array.isArray(scopes) && { scopes: scopes.map(String) }),
      ...(typeof obtainedAt === "number" &&
        typeof expiresIn === "number" && { expiresAt: obtainedAt + expiresIn * 1000 }),
    };
  } catch (error) {
    if (error instanceof AuthError) return { ...about, state: "unreadable", problem: error.message };
    throw error;
  }
}
