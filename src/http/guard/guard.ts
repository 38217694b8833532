import type { Problem } from "./problem.js";

/** What of a request head is judged before its body is read. Header values as sent, one entry per line. */
export interface RequestHead {
  readonly method: string;
  /** Request target as on the wire: origin form or absolute form. */
  readonly target: string;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly contentLength: string | undefined;
}

/** Which names we answer to. `loopback` is any port of the three loopback names (for a mounted API). */
export interface GuardRules {
  /** Exact values of `Host` (RFC 9110, 7.2). */
  readonly hosts: ReadonlySet<string> | "loopback";
  /** Exact values of `Origin` (RFC 6454, 7). */
  readonly origins: ReadonlySet<string> | "loopback";
  /** A request body, in bytes; a larger one gets 413. */
  readonly bodyBytes: number;
}

const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;
const loopbackOrigin = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/**
 * Refuses requests that come from a web page of another origin or through a name that is not ours (DNS
 * rebinding), and bodies that say they are too large. Undefined when there is nothing against it.
 */
export function judgeHead(head: RequestHead, rules: GuardRules): Problem | undefined {
  return hostProblem(head, rules) ?? originProblem(head, rules) ?? lengthProblem(head, rules);
}

function hostProblem({ hosts, target }: RequestHead, rules: GuardRules): Problem | undefined {
  const named = target.startsWith("/") || target === "*" ? hosts : [...hosts, authorityOf(target)];
  if (hosts.length === 1 && named.every((host) => isAllowed(host, rules.hosts, loopbackHost)))
    return undefined;
  return {
    status: 403,
    slug: "host-not-allowed",
    title: "This service does not answer to that host name",
    detail: "Use the address the service printed at its start; the Host header must be exactly that.",
  };
}

function originProblem(head: RequestHead, rules: GuardRules): Problem | undefined {
  const { origins, fetchSite } = head;
  // A browser tells where a request began; only a top-level navigation may come from elsewhere.
  const foreign = fetchSite === "cross-site" || fetchSite === "same-site";
  const navigates = head.method === "GET" && head.fetchMode === "navigate";
  const allowed =
    origins.length <= 1 && origins.every((origin) => isAllowed(origin, rules.origins, loopbackOrigin));
  if (allowed && (!foreign || navigates)) return undefined;
  return {
    status: 403,
    slug: "origin-not-allowed",
    title: "Requests of other web origins are refused",
    detail: "Open the dashboard through the link the service printed, or call the API from a program.",
  };
}

function lengthProblem({ contentLength }: RequestHead, rules: GuardRules): Problem | undefined {
  if (contentLength === undefined || Number(contentLength) <= rules.bodyBytes) return undefined;
  return tooLarge(rules.bodyBytes);
}

/** The problem of a body above the limit. */
export function tooLarge(limit: number): Problem {
  return {
    status: 413,
    slug: "body-too-large",
    title: "The body is too large",
    detail: `At most ${limit} bytes are read.`,
  };
}

function isAllowed(value: string, set: ReadonlySet<string> | "loopback", pattern: RegExp): boolean {
  return set === "loopback" ? pattern.test(value) : set.has(value);
}

function authorityOf(target: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1] ?? "";
}
