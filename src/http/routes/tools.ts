import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { CallOptions } from "../../index.js";
import type { ApiParts } from "./apiOptions.js";
import { mount, type ApiEnv } from "./endpoint.js";
import { ProblemError } from "../guard/problem.js";
import { approval, callRequest, decision, tool, toolResult } from "./schemas.js";

/** Tools, calls and the questions that calls raise. */
export function toolRoutes(app: OpenAPIHono<ApiEnv>, { supervisor, rules }: ApiParts): void {
  mount(
    app,
    {
      method: "get",
      path: "/api/mcp/tools",
      tag: "tools",
      agent: true,
      summary: "All tools as an agent sees them",
      answers: { 200: { description: "In a stable order", schema: z.array(tool) } },
      handle: () => Response.json(supervisor.tools()),
    },
    rules.bodyBytes,
  );
  mount(
    app,
    {
      method: "post",
      path: "/api/mcp/tools/{name}/call",
      tag: "tools",
      agent: true,
      summary: "Call a tool and wait for its result",
      description:
        "Answers 200 with a ToolResult whatever becomes of the call (`ok` tells); progress shows in the event " +
        "feed as `mcp.call.progress`. Closing the connection cancels the call.",
      params: z.object({ name: z.string() }),
      body: callRequest,
      answers: { 200: { description: "Its one and only result", schema: toolResult } },
      handle: async ({ params, body, context }) => {
        const { timeout, caller } = body;
        const options: CallOptions = {
          signal: context.req.raw.signal,
          ...(timeout === undefined ? {} : { timeout }),
          ...(caller === undefined ? {} : { caller }),
        };
        return Response.json(await supervisor.callTool(params.name, body.arguments ?? {}, options));
      },
    },
    rules.bodyBytes,
  );
  mount(
    app,
    {
      method: "get",
      path: "/api/mcp/approvals",
      tag: "approvals",
      summary: "Questions waiting for a person",
      answers: { 200: { description: "Oldest first", schema: z.array(approval) } },
      handle: () => Response.json(supervisor.approvals()),
    },
    rules.bodyBytes,
  );
  mount(
    app,
    {
      method: "post",
      path: "/api/mcp/approvals/{id}",
      tag: "approvals",
      summary: "Answer a question",
      params: z.object({ id: z.string() }),
      body: decision,
      answers: {
        204: { description: "Taken" },
        404: { description: "Not pending (any more)", problem: "approval-not-found" },
      },
      handle: ({ params, body }) => {
        if (supervisor.decide(params.id, body.decision)) return new Response(null, { status: 204 });
        throw new ProblemError({
          status: 404,
          slug: "approval-not-found",
          title: "There is no such pending approval",
          detail: "It was decided by somebody else, ran out, or its call ended.",
        });
      },
    },
    rules.bodyBytes,
  );
}
