import { getRequestListener } from "@hono/node-server";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Api } from "../routes/api.js";
import { limitConnections } from "../guard/connections.js";
import { judgeHead, type GuardRules } from "../guard/guard.js";
import { problemBody, problemHeaders, type Problem } from "../guard/problem.js";
import { headOfIncoming } from "../guard/requestHead.js";
import { securityHeaders } from "../guard/securityHeaders.js";
import type { Mount } from "./mount.js";

/** Limits of the listening server. */
export interface ListenerLimits {
  /** Within which the head of a request must be there, in milliseconds. Default: 5,000. */
  readonly headersMs: number;
  /** Within which a whole request must be there, in milliseconds. Default: 15,000. */
  readonly requestMs: number;
  /** Connections at the same time; above it the oldest silent one goes. Default: 256. */
  readonly connections: number;
}

/** A Node server around the API: heads are judged as they stand on the wire, before anything else looks at them. */
export function createNodeServer(
  api: Api,
  rules: GuardRules,
  limits: ListenerLimits,
  mounts: readonly Mount[] = [],
): Server {
  const toApi = getRequestListener((request, bindings) => api.fetch(request, bindings as never), {
    // A host that embeds us keeps its own Request and Response.
    overrideGlobalObjects: false,
  });
  const mountOf = ({ url = "" }: IncomingMessage): Mount | undefined => mounts.find((each) => each.owns(url));
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void | Promise<void> =>
    (mountOf(incoming)?.handle ?? toApi)(incoming, outgoing);
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    keepAliveTimeout: 5000,
    // A call may take long; its own deadline ends it.
    noDelay: true,
  });
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    const refused = judgeHead(headOfIncoming(incoming), rules);
    if (refused !== undefined) refuse(incoming, outgoing, refused);
    return refused === undefined;
  };
  server.on("request", (incoming, outgoing) => {
    if (handle(incoming, outgoing)) void listener(incoming, outgoing);
  });
  server.on("checkContinue", (incoming, outgoing) => {
    if (!handle(incoming, outgoing)) return;
    outgoing.writeContinue();
    void listener(incoming, outgoing);
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const upgrade = judgeHead(headOfIncoming(incoming), rules) === undefined && mountOf(incoming)?.upgrade;
    if (upgrade) upgrade(incoming, socket, head);
    else socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const status = statuses[error.code ?? ""] ?? "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  limitConnections(
    server,
    limits.connections,
    (incoming) => mountOf(incoming)?.knows?.(incoming) ?? api.knows(incoming),
  );
  return server;
}

const statuses: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/** Answers without reading the body; the connection ends with the answer, so nothing after it is taken as a request. */
function refuse(incoming: IncomingMessage, outgoing: ServerResponse, problem: Problem): void {
  outgoing.writeHead(problem.status, {
    ...securityHeaders,
    ...problemHeaders(problem),
    "cache-control": "no-store",
    connection: "close",
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : problemBody(problem));
}
