import type { IncomingHttpHeaders } from "node:http";
import { pageHeader } from "./sessions.js";
import type { Sessions } from "./sessions.js";
import { sameSecret } from "./token.js";

/** What somebody may do: an `owner` everything; an `agent` may see and call tools, and decides and edits nothing. */
export type Role = "owner" | "agent";

/** What decides who may come in; the API's options hold it. */
export interface Doors {
  /** Compared in constant time with the bearer token of a request. */
  readonly token?: string;
  /** A second token, for agents: it may see and call tools, and neither decide nor edit. */
  readonly agentToken?: string;
  /** For a host with its own logins: true lets this request in, as an owner; `agent` lets it in as one. */
  readonly authorize?: (request: Request) => boolean | "agent" | Promise<boolean | "agent">;
}

/** What of a request's head tells who sent it. */
export interface Credentials {
  readonly authorization: string | null | undefined;
  readonly cookie: string | null | undefined;
  readonly page: string | null | undefined;
}

/** Who brings these; undefined when nobody is known by them. */
export type Recognize = (given: Credentials) => Role | undefined;

/** Knows the bearers of both tokens, and pages of the dashboard with both halves of a login. */
export function recognizer({ token, agentToken }: Doors, sessions: Sessions | undefined): Recognize {
  return ({ authorization, cookie, page }) => {
    const bearer = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? "")?.[1];
    if (bearer !== undefined && token !== undefined && sameSecret(bearer, token)) return "owner";
    if (bearer !== undefined && agentToken !== undefined && sameSecret(bearer, agentToken)) return "agent";
    return sessions?.knows(cookie, page) === true ? "owner" : undefined;
  };
}

/** Who sends a request; undefined when it may not come in. A page changes things only with an Origin that the guard has judged. */
export function createAuth(
  { authorize }: Doors,
  recognize: Recognize,
): (request: Request) => Promise<Role | undefined> {
  return async (request) => {
    const { headers, method } = request;
    const given = {
      authorization: headers.get("authorization"),
      cookie: headers.get("cookie"),
      page: headers.get(pageHeader),
    };
    const role = recognize(given);
    const isBearer = role !== undefined && recognize({ ...given, cookie: null }) !== undefined;
    const reads = method === "GET" || method === "HEAD";
    if (role !== undefined && (isBearer || reads || headers.get("origin") !== null)) return role;
    const allowed = await authorize?.(request);
    return allowed === true ? "owner" : allowed === "agent" ? "agent" : undefined;
  };
}

/** The same of a request as Node has it. */
export function credentialsOf(headers: IncomingHttpHeaders): Credentials {
  const page = headers[pageHeader];
  return {
    authorization: headers.authorization,
    cookie: headers.cookie,
    page: Array.isArray(page) ? undefined : page,
  };
}
