import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { anthropic } from "./anthropic.js";
import { chat } from "./chat.js";
import { gemini } from "./gemini.js";
import { responses } from "./responses.js";

/** What the model says in one turn. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ModelTurnCall[];
}

export interface ModelTurnCall {
  readonly id?: string;
  readonly name: string;
  /** An object, or text as it is: a model may write bad JSON. */
  readonly args?: unknown;
}

/** A request that came in, as each API wrote it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of four APIs
export type Body = any;

export type Script = (body: Body, turn: number) => Turn | Promise<Turn>;

/** One API of a provider: what it refuses, and how it writes an answer. */
export interface Dialect {
  readonly path: RegExp;
  /** The API's own error answer, when it does not take the request. */
  refuse(body: Body): { status: number; body: unknown } | undefined;
  whole(turn: Turn, body: Body): unknown;
  /** Lines of an event stream. */
  stream(turn: Turn, body: Body): string[];
  streams(body: Body, url: string): boolean;
}

const dialects = [chat, responses, anthropic, gemini];
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A local server that speaks the APIs of OpenAI, Anthropic and Google, in place of a model. */
export async function fakeProvider(script: Script) {
  const requests: Body[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url ?? "";
    const dialect = dialects.find((each) => each.path.test(url));
    const body = await readBody(request);
    if (dialect === undefined) return send(response, 404, { error: { message: `no such path ${url}` } });
    const refusal = dialect.refuse(body);
    if (refusal !== undefined) return send(response, refusal.status, refusal.body);
    requests.push(body);
    const turn = await script(body, requests.length);
    if (!dialect.streams(body, url)) return send(response, 200, dialect.whole(turn, body));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const line of dialect.stream(turn, body)) response.write(line);
    response.end();
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error) =>
      send(response, 500, { error: { message: String(error) } }),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  open.push(
    () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

/** Plays turns one after another; the last one again when there are no more. */
export function turns(...list: (Turn | ((body: Body) => Turn | Promise<Turn>))[]): Script {
  return (body, turn) => {
    const next = list[Math.min(turn, list.length) - 1]!;
    return typeof next === "function" ? next(body) : next;
  };
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
