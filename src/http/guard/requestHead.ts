import type { IncomingMessage } from "node:http";
import type { RequestHead } from "./guard.js";

/** The head as it stood on the wire: repeated Host or Origin lines are seen, not just the first. */
export function headOfIncoming(incoming: IncomingMessage): RequestHead {
  const { headers } = incoming;
  return {
    method: incoming.method ?? "GET",
    target: incoming.url ?? "/",
    hosts: rawValues(incoming, "host"),
    origins: rawValues(incoming, "origin"),
    fetchSite: one(headers["sec-fetch-site"]),
    fetchMode: one(headers["sec-fetch-mode"]),
    contentLength: headers["content-length"],
  };
}

/** The head of a web request, for an API mounted in a host's own server. */
export function headOfRequest(request: Request): RequestHead {
  const { headers } = request;
  const url = new URL(request.url);
  const origin = headers.get("origin");
  return {
    method: request.method,
    target: url.pathname,
    // Without a Host header (made by hand, not from the wire) the address itself is what was asked for.
    hosts: [headers.get("host") ?? url.host],
    origins: origin === null ? [] : [origin],
    fetchSite: headers.get("sec-fetch-site") ?? undefined,
    fetchMode: headers.get("sec-fetch-mode") ?? undefined,
    contentLength: headers.get("content-length") ?? undefined,
  };
}

function rawValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(",") : value;
}
