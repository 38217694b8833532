import { ConfigError, type ServerConfig, type Supervisor } from "../../index.js";
import { ProblemError } from "../guard/problem.js";
import type { Mount } from "./endpoint.js";
import { serverConfig, serverPatch } from "./schemas.js";
import { etagOf, find, invalidConfig, missing, notFound, params, status, tag } from "./serverAnswers.js";

const senseless = {
  description: "The entry makes no sense; `errors` say where",
  problem: "invalid-config",
} as const;
const stale = {
  description: "If-Match names another version of the entry, or If-None-Match: * one that exists",
  problem: "entry-changed",
} as const;
const preconditions =
  "`If-Match` with the `ETag` of an answer changes only that version of the entry, `If-None-Match: *` only adds.";

/** Adding, changing, replacing and removing entries. */
export function serverEntries(add: Mount, supervisor: Supervisor, path: string): void {
  let turn: Promise<unknown> = Promise.resolve();

  add({
    method: "post",
    path,
    tag,
    summary: "Add a server, or change the given fields of the one with this id",
    description: `A server that ships with mcpvisor is known before it is written down: \`{"id":"gmail","enabled":true}\` switches it on. ${preconditions}`,
    body: serverPatch,
    answers: {
      200: { ...status, description: "Changed" },
      201: { ...status, description: "Added" },
      412: stale,
      422: senseless,
    },
    handle: ({ body, context }) =>
      save(context.req.raw.headers, body.id, () => supervisor.saveServer(body, { merge: true })),
  });
  add({
    method: "put",
    path: `${path}/{id}`,
    tag,
    summary: "Add a server, or replace the entry with this id as a whole",
    description: preconditions,
    params,
    body: serverConfig,
    answers: {
      200: { ...status, description: "Replaced" },
      201: { ...status, description: "Added" },
      409: {
        description: "The id of the body is another one than that of the address",
        problem: "id-differs",
      },
      412: stale,
      422: senseless,
    },
    handle: ({ params: { id }, body, context }) => {
      if (body.id !== id) throw differs(id, body.id);
      return save(context.req.raw.headers, id, () => supervisor.saveServer(body as ServerConfig));
    },
  });
  add({
    method: "delete",
    path: `${path}/{id}`,
    tag,
    summary: "Remove a server: its process ends, its entry goes",
    params,
    answers: { 204: { description: "Removed" }, 404: missing, 412: stale },
    handle: async ({ params: { id }, context }) => {
      find(supervisor, id);
      const removed = await changing(context.req.raw.headers, id, () => supervisor.removeServer(id));
      if (!removed) throw notFound(id);
      return new Response(null, { status: 204 });
    },
  });

  async function save(headers: Headers, id: string, work: () => Promise<unknown>): Promise<Response> {
    let known = false;
    try {
      const saved = await changing(headers, id, () => {
        known = supervisor.server(id) !== undefined;
        return work();
      });
      return Response.json(saved, {
        status: known ? 200 : 201,
        headers: { etag: etagOf(find(supervisor, id)), ...(!known && { location: `${path}/${id}` }) },
      });
    } catch (error) {
      throw error instanceof ConfigError ? invalidConfig(error) : error;
    }
  }

  /** One change after the other, so that of two that name the same version one is refused: check and write are one step. */
  function changing<T>(headers: Headers, id: string, work: () => Promise<T>): Promise<T> {
    const run = (): Promise<T> => {
      precondition(headers, id);
      return work();
    };
    const next = turn.then(run, run);
    turn = next.catch(() => undefined);
    return next;
  }

  /** Throws the problem `entry-changed` when the caller has seen another version (RFC 9110, 13.1). */
  function precondition(headers: Headers, id: string): void {
    const server = supervisor.server(id);
    const now = server === undefined ? undefined : etagOf(server);
    const wanted = tagsIn(headers.get("if-match"));
    const unwanted = tagsIn(headers.get("if-none-match"));
    const isOther =
      wanted !== undefined && (now === undefined || !(wanted.includes("*") || wanted.includes(now)));
    const isThere =
      unwanted !== undefined && now !== undefined && (unwanted.includes("*") || unwanted.includes(now));
    if (!isOther && !isThere) return;
    throw new ProblemError({
      status: 412,
      slug: "entry-changed",
      title: isThere
        ? `There is a server "${id}" already`
        : `The entry of "${id}" is not the one that was read`,
      detail: "Read it again, and decide anew.",
    });
  }
}

function tagsIn(header: string | null): readonly string[] | undefined {
  return header?.split(",").map((each) => each.trim().replace(/^W\//, ""));
}

function differs(id: string, other: string): ProblemError {
  return new ProblemError({
    status: 409,
    slug: "id-differs",
    title: `The address names "${id}", the body "${other}"`,
    detail: "An entry keeps its id; add the other one, and remove this one.",
  });
}
