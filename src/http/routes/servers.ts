import { z, type OpenAPIHono } from "@hono/zod-openapi";
import {
  ConfigError,
  isServing,
  type ConfigProblem,
  type ServerConfig,
  type ServerHandle,
  type ServerStatus,
} from "../../index.js";
import type { ApiParts } from "../apiOptions.js";
import { mount, type ApiEnv } from "./endpoint.js";
import { ProblemError } from "../problem.js";
import { configProblem, serverConfig, serverStatus, tool } from "./schemas.js";

const tag = "servers";
const params = z.object({ id: z.string() });
const status = { description: "Its status", schema: serverStatus };
const missing = { description: "No such server", problem: "server-not-found" } as const;

/** Looking at servers and moving them. */
export function serverRoutes(app: OpenAPIHono<ApiEnv>, { supervisor, rules }: ApiParts): void {
  const add = mountWith(app, rules.bodyBytes);
  const path = "/api/mcp/servers";
  add({
    method: "get",
    path,
    tag,
    summary: "All servers with their state",
    answers: { 200: { description: "In the order of the configuration", schema: z.array(serverStatus) } },
    handle: () => Response.json(supervisor.servers()),
  });
  add({
    method: "get",
    path: `${path}/{id}`,
    tag,
    summary: "One server",
    params,
    answers: { 200: status, 404: missing },
    handle: (request) => Response.json(find(request.params.id).status()),
  });
  add({
    method: "get",
    path: `${path}/{id}/tools`,
    tag,
    summary: "The tools of one server",
    params,
    answers: { 200: { description: "Its tools", schema: z.array(tool) }, 404: missing },
    handle: (request) => {
      const { id } = find(request.params.id);
      return Response.json(supervisor.tools().filter((each) => each.server === id));
    },
  });
  add({
    method: "post",
    path,
    tag,
    summary: "Add a server, or change the one with this id",
    body: serverConfig,
    answers: {
      200: { ...status, description: "Changed" },
      201: { ...status, description: "Added" },
      422: { description: "The entry makes no sense; `errors` say where", problem: "invalid-config" },
    },
    handle: async (request) => {
      const known = supervisor.server(request.body.id) !== undefined;
      const saved = await save(request.body as ServerConfig);
      return Response.json(saved, { status: known ? 200 : 201 });
    },
  });
  add({
    method: "delete",
    path: `${path}/{id}`,
    tag,
    summary: "Remove a server: its process ends, its entry goes",
    params,
    answers: { 204: { description: "Removed" }, 404: missing },
    handle: async (request) => {
      if (!(await supervisor.removeServer(find(request.params.id).id))) throw notFound(request.params.id);
      return new Response(null, { status: 204 });
    },
  });
  for (const action of ["connect", "disconnect", "restart"] as const) {
    add({
      method: "post",
      path: `${path}/{id}/${action}`,
      tag,
      summary: summaries[action],
      params,
      answers: {
        200: status,
        404: missing,
        ...(action === "disconnect" ? {} : refusals),
      },
      handle: async (request) => {
        const server = find(request.params.id);
        if (action !== "disconnect" && !server.status().enabled) throw disabled(server.status());
        const before = server.status();
        const after = await server[action]();
        if (action === "disconnect") return Response.json(after);
        if (!isUp(after)) return failed(after);
        return action === "restart" && after.generation === before.generation
          ? notReplaced(after)
          : Response.json(after);
      },
    });
  }
  for (const [action, enabled] of [
    ["enable", true],
    ["disable", false],
  ] as const) {
    add({
      method: "post",
      path: `${path}/{id}/${action}`,
      tag,
      summary: enabled
        ? "Switch an entry on, where it is written down"
        : "Switch an entry off; its process ends",
      params,
      answers: { 200: status, 404: missing },
      handle: async (request) => {
        const { id } = find(request.params.id);
        if (!(await supervisor.enableServer(id, enabled))) throw notFound(id);
        return Response.json(find(id).status());
      },
    });
  }
  add({
    method: "get",
    path: "/api/mcp/problems",
    tag,
    summary: "What is wrong with the configuration",
    answers: { 200: { description: "Errors and warnings with their place", schema: z.array(configProblem) } },
    handle: () => Response.json(supervisor.problems()),
  });

  function find(id: string): ServerHandle {
    const server = supervisor.server(id);
    if (server === undefined) throw notFound(id);
    return server;
  }

  async function save(config: ServerConfig): Promise<ServerStatus> {
    try {
      return await supervisor.saveServer(config);
    } catch (error) {
      throw error instanceof ConfigError ? invalidConfig(error) : error;
    }
  }
}

const summaries = {
  connect: "Connect now and wait until it is ready; forgets earlier failures",
  disconnect: "Disconnect; it rests until somebody connects or calls",
  restart:
    "A new life: it takes over without a gap where two may exist (HTTP without a session), else calls in flight drain first",
};

const refusals = {
  409: { description: "It is disabled; enable it first", problem: "server-disabled" },
  502: {
    description: "`restart-failed`: its old life goes on. Else it could not be connected; `cause` says why",
    problem: "connect-failed",
  },
} as const;

type Add = <P, Q, B>(endpoint: Parameters<typeof mount<P, Q, B>>[1]) => void;

/** `mount` for one app, with the limit of bodies filled in. */
export function mountWith(app: OpenAPIHono<ApiEnv>, bodyBytes: number): Add {
  return (endpoint) => mount(app, endpoint, bodyBytes);
}

function isUp({ state }: ServerStatus): boolean {
  return isServing(state);
}

function failed({ id, state, cause, lastError, nextAttemptAt }: ServerStatus): never {
  if (state === "disabled") throw new ProblemError(disabledProblem(id));
  const why = lastError ?? cause;
  throw new ProblemError({
    status: 502,
    slug: "connect-failed",
    title: `Server "${id}" is not connected`,
    detail: why.message,
    more: { state, cause: why, ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }) },
  });
}

/** It serves, but not in the new life that was asked for. */
function notReplaced({ id, state, cause, lastError }: ServerStatus): never {
  const why = lastError ?? cause;
  throw new ProblemError({
    status: 502,
    slug: "restart-failed",
    title: `Server "${id}" goes on in its old life`,
    detail: why.message,
    more: { state, cause: why },
  });
}

function disabled({ id }: ServerStatus): ProblemError {
  return new ProblemError(disabledProblem(id));
}

function disabledProblem(id: string): ProblemError["problem"] {
  return {
    status: 409,
    slug: "server-disabled",
    title: `Server "${id}" is disabled`,
    detail: "Enable it first.",
  };
}

function notFound(id: string): ProblemError {
  return new ProblemError({ status: 404, slug: "server-not-found", title: `There is no server "${id}"` });
}

function invalidConfig(error: ConfigError): ProblemError {
  return new ProblemError({
    status: 422,
    slug: "invalid-config",
    title: "The entry makes no sense",
    detail: error.message,
    errors: error.problems.map((problem) => ({ pointer: pointerOf(problem), detail: sentence(problem) })),
  });
}

function pointerOf({ path }: ConfigProblem): string {
  return path === undefined ? "" : `/${path.split(".").join("/")}`;
}

function sentence({ message, hint }: ConfigProblem): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
