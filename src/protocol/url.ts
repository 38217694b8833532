import type { Cause } from "../errors.js";

/**
 * Whether a server address may be used at all: `https:` to any host, `http:` to this machine only, no user name or
 * password in it. The answer names what is wrong and what to do; undefined means usable. The text is judged as the
 * URL standard reads it (WHATWG URL), so `http://2130706433/` is loopback and `http://127.0.0.1@host/` is not.
 */
export function checkUrl(url: string): Cause | undefined {
  const parsed = parse(url);
  if (parsed === undefined) return invalid("it cannot be read as a URL; write it like https://host/mcp");
  if (parsed.username !== "" || parsed.password !== "") {
    return invalid("it holds a user name or password; put credentials into headers instead");
  }
  if (parsed.protocol === "https:") return undefined;
  if (parsed.protocol !== "http:") {
    return invalid(`${parsed.protocol} is not supported; use https:, or http: for this machine`);
  }
  if (isLoopback(parsed.hostname)) return undefined;
  return invalid(`http: is allowed to this machine only, not to ${parsed.hostname}; use https:`);
}

/** Whether a host name, as `URL.hostname` writes it, is this machine: localhost, 127.0.0.0/8 or ::1. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function invalid(why: string): Cause {
  return { kind: "config-invalid", message: `the url is not usable: ${why}` };
}
