import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly json: unknown;
}

export interface Canned {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** Answers by `METHOD /path`; a function looks at the request. */
export type Routes = Record<string, Canned | ((seen: Seen) => Canned)>;

/** How the fake behaves now: by its routes (silent where `hangs` says so), or with one answer for everything. */
export type Mood =
  | { kind: "routes"; routes: Routes; hangs?: (seen: Seen) => boolean }
  | { kind: "always"; answer: (seen: Seen) => Canned };

/** A service on a real socket that does what its mood says and remembers what it was asked. */
export interface Fake {
  readonly url: string;
  readonly seen: Seen[];
  /** Requests that were aborted by their sender before an answer. */
  aborted(): number;
  mood(mood: Mood): void;
  close(): Promise<void>;
}

export async function startFake(): Promise<Fake> {
  const seen: Seen[] = [];
  let mood: Mood = { kind: "routes", routes: {} };
  let aborted = 0;
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const what = look(request, await read(request));
    seen.push(what);
    response.on("close", () => {
      if (!response.writableFinished) aborted += 1;
    });
    if (mood.kind === "routes" && mood.hangs?.(what)) return;
    answer(response, mood.kind === "always" ? mood.answer(what) : routed(mood.routes, what));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    aborted: () => aborted,
    mood: (next) => {
      mood = next;
      seen.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function routed(routes: Routes, seen: Seen): Canned {
  const route = routes[`${seen.method} ${seen.path}`];
  if (route === undefined) return { status: 404, body: { message: `no route ${seen.method} ${seen.path}` } };
  return typeof route === "function" ? route(seen) : route;
}

function answer(response: ServerResponse, { status = 200, headers = {}, body }: Canned): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body ?? {}));
}

function look(request: IncomingMessage, text: string): Seen {
  const url = new URL(request.url ?? "/", "http://fake");
  const query: Record<string, string> = {};
  for (const name of url.searchParams.keys()) query[name] = url.searchParams.getAll(name).join("|");
  const isJson = request.headers["content-type"]?.includes("json") === true && text !== "";
  return {
    method: request.method ?? "",
    path: url.pathname,
    query,
    headers: request.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
