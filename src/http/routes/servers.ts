import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { ApiParts } from "./apiOptions.js";
import { type ApiEnv, mountWith } from "./endpoint.js";
import { configProblem, serverStatus, tool } from "./schemas.js";
import { serverActions } from "./serverActions.js";
import { serverEntries } from "./serverEntries.js";
import { etagOf, find, missing, params, status, tag } from "./serverAnswers.js";

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
    summary: "One server, with an `ETag` of its entry",
    agent: true,
    params,
    answers: { 200: status, 404: missing },
    handle: (request) => {
      const server = find(supervisor, request.params.id);
      return Response.json(server.status(), { headers: { etag: etagOf(server) } });
    },
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
  serverEntries(add, supervisor, path);
  serverActions(add, supervisor);
  add({
    method: "get",
    path: "/api/mcp/problems",
    tag,
    summary: "What is wrong with the configuration",
    answers: { 200: { description: "Errors and warnings with their place", schema: z.array(configProblem) } },
    handle: () => Response.json(supervisor.problems()),
  });
}
