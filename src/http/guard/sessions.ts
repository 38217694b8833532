import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../../index.js";
import { sameSecret } from "./token.js";

const codeLifeMs = 10 * 60_000;
const cookieLifeMs = 7 * 24 * 3_600_000;
const maxCodes = 16;

/** Logins of the dashboard: one-time codes are exchanged for a signed cookie; the token itself never leaves. */
export interface Sessions {
  /** A new code, good once and for ten minutes; the oldest of more than 16 open ones ends. */
  newCode(): string;
  /** The Set-Cookie value for a good code, undefined otherwise. */
  redeem(code: string): string | undefined;
  /** Whether a Cookie header carries a login of ours that has not run out. */
  knows(cookieHeader: string): boolean;
}

/** Cookies are signed with the token: a new token ends all logins, a restart of the service none. */
export function createSessions(token: string, clock: Clock, cookieName = "mcpvisor"): Sessions {
  const codes = new Map<string, number>();
  return {
    newCode() {
      const oldest = codes.keys().next();
      if (codes.size >= maxCodes && !oldest.done) codes.delete(oldest.value);
      const code = randomBytes(32).toString("base64url");
      codes.set(code, clock.now() + codeLifeMs);
      return code;
    },
    redeem(code) {
      const until = codes.get(code);
      codes.delete(code);
      if (until === undefined || until < clock.now()) return undefined;
      const expires = clock.now() + cookieLifeMs;
      const value = `${expires}.${sign(token, expires)}`;
      return `${cookieName}=${value}; Path=/; Max-Age=${cookieLifeMs / 1000}; HttpOnly; SameSite=Strict`;
    },
    knows(cookieHeader) {
      return cookieHeader.split(";").some((pair) => {
        const [name, value = ""] = pair.trim().split("=", 2);
        const [expires = "", signature = ""] = value.split(".", 2);
        if (name !== cookieName || !(Number(expires) > clock.now())) return false;
        return sameSecret(signature, sign(token, Number(expires)));
      });
    },
  };
}

function sign(token: string, expires: number): string {
  return createHmac("sha256", token).update(`dashboard:${expires}`).digest("base64url");
}
