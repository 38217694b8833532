import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { ApiParts, ConsumerAdmin } from "./apiOptions.js";
import { ProblemError } from "../guard/problem.js";
import { mount, type ApiEnv } from "./endpoint.js";
import { consumer, consumerConfig } from "./consumerSchemas.js";

const epochMs = z
  .number()
  .int()
  .positive()
  .optional()
  .openapi({ description: "Epoch ms after which the token is void." });
const name = z.object({ name: z.string() });
const token = z.object({ token: z.string().openapi({ description: "Shown this once." }) });

/** Consumers of the gateway: who they are, what they use, their tokens. */
export function consumerRoutes(app: OpenAPIHono<ApiEnv>, { consumers, rules }: ApiParts): void {
  const tag = "consumers";
  const { bodyBytes } = rules;
  mount(
    app,
    {
      method: "get",
      path: "/api/mcp/consumers",
      tag,
      summary: "All consumers of the gateway",
      answers: {
        200: {
          description: "Without their tokens; none where there is no gateway",
          schema: z.array(consumer),
        },
      },
      handle: () => Response.json(consumers?.list() ?? []),
    },
    bodyBytes,
  );
  mount(
    app,
    {
      method: "post",
      path: "/api/mcp/consumers",
      tag,
      summary: "Add a consumer, or change what a known one may do",
      description:
        "A change ends its sessions, streams and calls at once. `token` is in the answer of a new one only.",
      body: z.object({ name: z.string(), config: consumerConfig.optional(), expiresAt: epochMs }),
      answers: {
        200: { description: "Done", schema: token.partial() },
        400: { description: "The name is none", problem: "invalid-request" },
        404: off,
      },
      handle: ({ body }) => {
        const added = admin(consumers).add(body.name, body.config ?? {}, body.expiresAt);
        if ("problem" in added)
          throw new ProblemError({ status: 400, slug: "invalid-request", title: added.problem });
        return Response.json(added);
      },
    },
    bodyBytes,
  );
  mount(
    app,
    {
      method: "post",
      path: "/api/mcp/consumers/{name}/rotate",
      tag,
      summary: "Give a consumer a new token; the old one is void at once",
      params: name,
      body: z.object({ expiresAt: epochMs }),
      answers: { 200: { description: "The new token", schema: token }, 404: missing },
      handle: ({ params, body }) => {
        const made = admin(consumers).rotate(params.name, body.expiresAt);
        if (made === undefined) throw new ProblemError(unknown);
        return Response.json({ token: made });
      },
    },
    bodyBytes,
  );
  mount(
    app,
    {
      method: "delete",
      path: "/api/mcp/consumers/{name}",
      tag,
      summary: "Revoke a consumer: its token, sessions, streams and calls end at once",
      params: name,
      answers: { 204: { description: "Revoked" }, 404: missing },
      handle: ({ params }) => {
        if (!admin(consumers).remove(params.name)) throw new ProblemError(unknown);
        return new Response(null, { status: 204 });
      },
    },
    bodyBytes,
  );
}

const missing = { description: "There is no such consumer", problem: "consumer-not-found" } as const;
const off = { description: "The service has no gateway", problem: "gateway-off" } as const;
const unknown = { status: 404, slug: "consumer-not-found", title: "There is no such consumer" } as const;

function admin(consumers: ConsumerAdmin | undefined): ConsumerAdmin {
  if (consumers !== undefined) return consumers;
  throw new ProblemError({ status: 404, slug: "gateway-off", title: "This service has no gateway" });
}
