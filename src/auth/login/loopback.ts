import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AuthError } from "../door/problem.js";

/** What the browser is shown. Plain words only: nothing of the request is repeated. */
export interface Page {
  readonly ok: boolean;
  readonly text: string;
}

export interface LoopbackOptions {
  /** `127.0.0.1`, `::1`, or `localhost`, which listens on both. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly path: string;
  /** Judges one call of the redirect address; the page waits for it. */
  readonly called: (url: string) => Promise<Page>;
}

export interface Loopback {
  readonly redirectUri: string;
  /** Ends the listener; a page that is being written is finished. */
  close(): Promise<void>;
}

const mostRequests = 16;
const lineBytes = 4096;
const patienceMs = 5000;

/** A listener for the answer of one login. AuthError `busy` naming the port when another program has it. */
export async function listenOnLoopback(options: LoopbackOptions): Promise<Loopback> {
  const addresses = options.host === "localhost" ? ["127.0.0.1", "::1"] : [options.host];
  const servers: Server[] = [];
  let requests = 0;
  let origin = "";
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    requests += 1;
    const path = request.url ?? "";
    const isOurs = request.method === "GET" && path.split("?")[0] === options.path;
    if (!isOurs || requests > mostRequests)
      return write(response, 404, { ok: false, text: "There is nothing here." });
    void options.called(origin + path).then(
      (page) => write(response, page.ok ? 200 : 400, page),
      () => write(response, 500, { ok: false, text: "The login could not be finished." }),
    );
  };
  let port = options.port;
  for (const address of addresses) {
    const server = createServer(
      {
        maxHeaderSize: lineBytes * 2,
        requestTimeout: patienceMs,
        headersTimeout: patienceMs,
        keepAlive: false,
      },
      handle,
    );
    try {
      await bind(server, address, port);
    } catch (error) {
      // A machine without IPv6 has no ::1; the IPv4 listener is enough there.
      if (servers.length > 0 && code(error) !== "EADDRINUSE") continue;
      await Promise.all(servers.map(end));
      throw taken(error, address, port);
    }
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  origin = `http://${host}:${port}`;
  return {
    redirectUri: origin + options.path,
    close: async () => void (await Promise.all(servers.map(end))),
  };
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", reject);
      // Errors of single connections are not ours to fall over.
      server.on("error", () => undefined);
      resolve();
    });
  });
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // A browser that keeps a line open must not keep the login open.
    setTimeout(() => server.closeAllConnections(), 500).unref();
  });
}

function write(response: ServerResponse, status: number, { ok, text }: Page): void {
  const title = ok ? "Logged in" : "Not logged in";
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    connection: "close",
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
      `<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}</style>` +
      `<h1>${title}</h1><p>${escaped(text)}</p></html>`,
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}

function taken(error: unknown, host: string, port: number): AuthError {
  const why =
    code(error) === "EADDRINUSE"
      ? `port ${port} of ${host} is taken by another program; end it, or choose another port as oauth.redirect.port`
      : `cannot listen on ${host} port ${port} (${code(error)})`;
  return new AuthError("busy", why, { cause: error });
}

function code(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown";
}
