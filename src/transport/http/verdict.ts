import type { Cause, CauseKind } from "../../errors.js";
import type { Loss } from "../transport.js";
import { errorOf } from "./answers.js";
import { excerpt } from "./excerpt.js";
import { bodyInWords } from "./page.js";
import { unbatch } from "./eventStream.js";
import { header, mediaType, type ReplyHeaders, retryAfter } from "./headers.js";

/** A whole answer with its body as text. */
export interface Reply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly text: string;
}

export interface Asked {
  /** Server id, for the messages. */
  readonly server: string;
  /** What was asked, without its query. */
  readonly address: string;
  /** Whether the request carried a session id. */
  readonly hadSession: boolean;
  /** Epoch ms, for a Retry-After that is a date. */
  readonly now: number;
}

/** What an answer that is no 2xx means for its request (docs/transports.md has the table). */
export function judgeReply(reply: Reply, asked: Asked): Loss {
  const { status } = reply;
  if (status < 400) return { sent: "yes", cause: redirected(reply, asked) };
  if (isSessionLost(reply, asked)) {
    const message = `server "${asked.server}" no longer knows the session (HTTP ${status})`;
    return { sent: "no", cause: { kind: "session-lost", message, httpStatus: status } };
  }
  if (status === 401) return { sent: "no", cause: authRequired(reply, asked) };
  if (status === 403) return { sent: "no", cause: plain("forbidden", reply, asked) };
  if (status === 429) return { sent: "no", cause: plain("rate-limited", reply, asked) };
  const cause = plain(status >= 500 ? "server-error" : "http-error", reply, asked);
  const error = status === 503 ? undefined : jsonRpcError(reply.text);
  return error === undefined ? { sent: "yes", cause } : { sent: "yes", cause, error };
}

/** A 2xx whose body is no answer. */
export function judgeOddBody(reply: Reply, asked: Asked): Loss {
  const cause = plain("http-error", reply, asked);
  return { sent: "yes", cause: { ...cause, message: `${cause.message}; expected JSON or an event stream` } };
}

/**
 * 404 is the word of the protocol (MCP 2025-11-25, Transports, Session Management), 410 means the same; several servers
 * and gateways say it with another status and words of their own, which count only together with an id that we sent.
 */
function isSessionLost({ status, text }: Reply, { hadSession }: Asked): boolean {
  if (!hadSession) return false;
  if (status === 404 || status === 410) return true;
  return sessionStatuses.has(status) && saysSessionLost(text);
}

/** Whether a text tells that a session is not known (any more). */
export function saysSessionLost(text: string): boolean {
  return (
    /session|not initialized/i.test(text) &&
    /unknown|invalid|not.{0,20}(found|valid|init|recogni|active|known)|no (valid|such|active)|expired|missing|closed|terminated|exist|gone|lost|stale|timed out/i.test(
      text,
    )
  );
}

const sessionStatuses: ReadonlySet<number> = new Set([400, 403, 409, 412, 422, 440, 500, 503]);

function plain(kind: CauseKind, reply: Reply, asked: Asked): Cause {
  const retryAfterMs =
    reply.status === 429 || reply.status === 503 ? retryAfter(reply.headers, asked.now) : undefined;
  const body = bodyInWords(reply.text, mediaType(reply.headers));
  const type = excerpt(mediaType(reply.headers), 60) || "no content type";
  const message = `server "${asked.server}" answered HTTP ${reply.status} (${type}) at ${pathless(asked.address)}${body === "" ? " without a body" : `: ${body}`}`;
  const cause: Cause = { kind, message, httpStatus: reply.status };
  return retryAfterMs === undefined ? cause : { ...cause, retryAfterMs };
}

function authRequired(reply: Reply, asked: Asked): Cause {
  const challenge = header(reply.headers, "www-authenticate");
  const known = ["resource_metadata", "scope", "error"].flatMap((name) => {
    const value = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,]+))`, "i").exec(challenge);
    return value ? [`${name} ${excerpt(value[1] ?? value[2] ?? "", 200)}`] : [];
  });
  const details = ["HTTP 401", ...known].join(", ");
  const message = `server "${asked.server}" wants authorization (${details}): set or renew the Authorization header in its headers`;
  return { kind: "auth-required", message, httpStatus: 401 };
}

/** An address without its query, which may hold a secret. */
function pathless(address: string): string {
  return address.split("?", 1)[0] ?? address;
}

function redirected({ status, headers }: Reply, asked: Asked): Cause {
  const location = header(headers, "location");
  const known = location !== "" && URL.canParse(location, asked.address);
  const target = known ? new URL(location, asked.address) : undefined;
  // User info and query of a foreign address are nobody's business.
  const where = target === undefined ? "" : ` to ${target.origin}${excerpt(target.pathname, 120)}`;
  const message = `server "${asked.server}" answered HTTP ${status}, a redirect of ${pathless(asked.address)}${where} that is not followed (only 307 and 308 inside one origin, at most 3): put the final address into its url`;
  return { kind: "redirected", message, httpStatus: status };
}

function jsonRpcError(text: string): Loss["error"] {
  try {
    return unbatch(JSON.parse(text))
      .map(errorOf)
      .find((error) => error !== undefined);
  } catch {
    // Most error bodies are pages or plain words.
    return undefined;
  }
}
