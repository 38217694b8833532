import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { ConfigError, type ServerConfig, type ServerStatus } from "../../index.js";
import type { ApiParts } from "./apiOptions.js";
import { type ApiEnv, mountWith } from "./endpoint.js";
import { configProblem, serverConfig, serverStatus, tool } from "./schemas.js";
import { serverActions } from "./serverActions.js";
import { find, invalidConfig, missing, notFound, params, status, tag } from "./serverAnswers.js";

/** Looking at servers, adding, changing, moving and removing them. */
export function serverRoutes(app: OpenAPIHono<ApiEnv>, { supervisor, rules }: ApiParts): void {
  const add = mountWith(app, rules.bodyBytes);
  const path = "/api/mcp/servers";
  add({
    method: "get",
    path,
    tag,
    summary: "All servers with their state",
    agent: true,
    answers: { 200: { description: "In the order of the configuration", schema: z.array(serverStatus) } },
    handle: () => Response.json(supervisor.servers()),
  });
  add({
    method: "get",
    path: `${path}/{id}`,
    tag,
    summary: "One server",
    agent: true,
    params,
    answers: { 200: status, 404: missing },
    handle: (request) => Response.json(find(supervisor, request.params.id).status()),
  });
  add({
    method: "get",
    path: `${path}/{id}/tools`,
    tag,
    summary: "The tools of one server",
    agent: true,
    params,
    answers: { 200: { description: "Its tools", schema: z.array(tool) }, 404: missing },
    handle: (request) => {
      const { id } = find(supervisor, request.params.id);
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
      if (!(await supervisor.removeServer(find(supervisor, request.params.id).id)))
        throw notFound(request.params.id);
      return new Response(null, { status: 204 });
    },
  });
  serverActions(add, supervisor);
  add({
    method: "get",
    path: "/api/mcp/problems",
    tag,
    summary: "What is wrong with the configuration",
    answers: { 200: { description: "Errors and warnings with their place", schema: z.array(configProblem) } },
    handle: () => Response.json(supervisor.problems()),
  });

  async function save(config: ServerConfig): Promise<ServerStatus> {
    try {
      return await supervisor.saveServer(config);
    } catch (error) {
      throw error instanceof ConfigError ? invalidConfig(error) : error;
    }
  }
}
