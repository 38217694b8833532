import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../index.js";
import { sameSecret } from "./token.js";

const codeLifeMs = 10 * 60_000;
const sessionLifeMs = 12 * 3_600_000;
const maxCodes = 16;
const maxSessions = 64;

/** Name of the header with the page's half of a login. */
export const pageHeader = "x-mcpvisor-page";

/** Both halves of a login. */
export interface Login {
  /** Value of Set-Cookie: the half that the browser keeps. */
  readonly cookie: string;
  /** The half that the page keeps, and sends as `x-mcpvisor-page`. */
  readonly page: string;
}

/**
 * Logins of the dashboard: one-time codes are exchanged for two halves; the token itself never leaves. A browser gives a
 * cookie to every program on any port of this machine, so a cookie alone is worth nothing: the other half is bound to the
 * page of this very origin.
 */
export interface Sessions {
  /** A new code, good once and for ten minutes; the oldest of more than 16 open ones ends. */
  newCode(): string;
  /** A login for a good code, undefined otherwise; the oldest of more than 64 ends. */
  redeem(code: string): Login | undefined;
  /** Whether both halves are of one login that has not run out. */
  knows(cookieHeader: string | null | undefined, page: string | null | undefined): boolean;
}

/** Logins last twelve hours, and no longer than this process. The name of the cookie has the port, as far as it is known. */
export function createSessions(clock: Clock, baseUrl: () => string | undefined): Sessions {
  const codes = new Map<string, number>();
  const open = new Map<string, { readonly page: string; readonly until: number }>();
  const cookieName = (): string => {
    const port = new URL(baseUrl() || "http://localhost").port;
    return port === "" ? "mcpvisor" : `mcpvisor-${port}`;
  };
  return {
    newCode() {
      makeRoom(codes, maxCodes);
      const code = secret();
      codes.set(code, clock.now() + codeLifeMs);
      return code;
    },
    redeem(code) {
      const until = codes.get(code);
      codes.delete(code);
      if (until === undefined || until < clock.now()) return undefined;
      for (const [id, { until: end }] of open) if (end <= clock.now()) open.delete(id);
      makeRoom(open, maxSessions);
      const [value, page] = [secret(), secret()];
      open.set(idOf(value), { page, until: clock.now() + sessionLifeMs });
      const about = `Path=/; Max-Age=${sessionLifeMs / 1000}; HttpOnly; SameSite=Strict`;
      return { cookie: `${cookieName()}=${value}; ${about}`, page };
    },
    knows(cookieHeader, page) {
      if (!cookieHeader || !page || page.length > 512) return false;
      const name = cookieName();
      return cookieHeader.split(";").some((pair) => {
        const [key, value = ""] = pair.trim().split("=", 2);
        const found = key === name ? open.get(idOf(value)) : undefined;
        return found !== undefined && found.until > clock.now() && sameSecret(page, found.page);
      });
    },
  };
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** What is looked up is a hash: how long a look-up takes tells nothing of a secret. */
function idOf(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

function makeRoom(map: Map<string, unknown>, most: number): void {
  const oldest = map.keys().next();
  if (map.size >= most && !oldest.done) map.delete(oldest.value);
}
