import type { Sessions } from "./sessions.js";
import { sameSecret } from "./token.js";

/** What decides who may come in; the API's options hold it. */
export interface Doors {
  /** Compared in constant time with the bearer token of a request. */
  readonly token?: string;
  /** For a host with its own logins: true lets this request in. */
  readonly authorize?: (request: Request) => boolean | Promise<boolean>;
}

/**
 * Who may come in: the bearer of the token, a dashboard with its cookie, or whom the host lets in. A cookie counts
 * for a mutation only from a page of this very origin (a cookie does not know ports, an Origin header does).
 */
export function createAuth(
  { token, authorize }: Doors,
  sessions: Sessions | undefined,
): (request: Request) => Promise<boolean> {
  return async (request) => {
    const bearer = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (bearer !== undefined && token !== undefined && sameSecret(bearer, token)) return true;
    const cookie = request.headers.get("cookie");
    if (cookie !== null && sessions?.knows(cookie) === true && cameFromUs(request)) return true;
    return authorize !== undefined && (await authorize(request));
  };
}

/** The guard has checked that a present Origin is one of ours. */
function cameFromUs({ method, headers }: Request): boolean {
  return method === "GET" || method === "HEAD" || headers.get("origin") !== null;
}
