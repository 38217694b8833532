import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { readJson } from "./body.js";
import type { Role } from "../guard/auth.js";
import { ProblemError, type Problem, type ProblemSlug } from "../guard/problem.js";
import type { RawRequest } from "./rawRequest.js";
import { problem } from "./schemas.js";

/** What hono is told of a request. */
export interface ApiEnv {
  readonly Bindings: RawRequest;
  /** Who sends it; nobody on open routes. */
  readonly Variables: { role?: Role };
}

/** One route as data: what it takes, what it answers, and who answers. */
export interface Endpoint<Params, Query, Body> {
  readonly method: "get" | "post" | "put" | "delete";
  /** With `{name}` placeholders as OpenAPI has them. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Open routes need no token. */
  readonly open?: boolean;
  /** Whether the token of agents is enough. Default: it is not. */
  readonly agent?: boolean;
  /** How much of a body is read, in bytes, and for how long, where it is less than elsewhere. */
  readonly bodyLimit?: { readonly bytes: number; readonly ms: number };
  readonly answers: Readonly<Record<number, Answer>>;
  readonly handle: (request: Input<Params, Query, Body>) => Response | Promise<Response>;
}

interface Answer {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly type?: string;
  readonly problem?: ProblemSlug;
}

export interface Input<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly context: Context<ApiEnv>;
}

/** Adds a route to the server and to the OpenAPI document. */
export function mount<P, Q, B>(
  app: OpenAPIHono<ApiEnv>,
  endpoint: Endpoint<P, Q, B>,
  bodyBytes: number,
): void {
  app.openAPIRegistry.registerPath(documented(endpoint));
  app.on(endpoint.method.toUpperCase(), endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1"), async (context) => {
    const { params, query, body, bodyLimit } = endpoint;
    if (context.get("role") === "agent" && endpoint.agent !== true) throw new ProblemError(agentsMayNot);
    return endpoint.handle({
      context,
      params: check(params, context.req.param(), "path") as P,
      query: check(query, context.req.queries(), "query") as Q,
      body: (body &&
        check(body, await readJson(context.req.raw, bodyLimit?.bytes ?? bodyBytes, bodyLimit?.ms), "")) as B,
    });
  });
}

const agentsMayNot: Problem = {
  status: 403,
  slug: "forbidden",
  title: "The token of agents may call tools, and neither decide nor edit",
  detail: "A person decides: in the dashboard (mcpvisor open) or on the command line.",
};

/** `mount` for one app, with the limit of bodies filled in. */
export type Mount = <P, Q, B>(endpoint: Endpoint<P, Q, B>) => void;

/** Makes a `Mount`. */
export function mountWith(app: OpenAPIHono<ApiEnv>, bodyBytes: number): Mount {
  return (endpoint) => mount(app, endpoint, bodyBytes);
}

function documented<P, Q, B>(endpoint: Endpoint<P, Q, B>): ReturnType<typeof createRoute> {
  const { method, path, tag, summary, description, params, query, body, open, agent, answers } = endpoint;
  const request = {
    ...(params === undefined ? {} : { params: params as unknown as z.ZodObject }),
    ...(query === undefined ? {} : { query: query as unknown as z.ZodObject }),
    ...(body === undefined
      ? {}
      : { body: { required: true, content: { "application/json": { schema: body } } } }),
  };
  return createRoute({
    method,
    path,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security:
      open === true
        ? []
        : [{ token: [] }, ...(agent === true ? [{ agentToken: [] }] : []), { dashboard: [] }],
    request,
    responses: Object.fromEntries(Object.entries(answers).map(([status, each]) => [status, answerOf(each)])),
  });
}

function answerOf({ description, schema, type, problem: slug }: Answer): {
  description: string;
  content?: Record<string, { schema: z.ZodType }>;
} {
  if (slug !== undefined) {
    return {
      description: `${description} (\`${slug}\`)`,
      content: { "application/problem+json": { schema: problem } },
    };
  }
  if (schema === undefined) return { description };
  return { description, content: { [type ?? "application/json"]: { schema } } };
}

function check(schema: z.ZodType | undefined, value: unknown, place: string): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ProblemError({
    status: 400,
    slug: "invalid-request",
    title: "The request does not have the right shape",
    errors: parsed.error.issues.map((issue) => ({
      pointer: `/${[...(place === "" ? [] : [place]), ...issue.path.map(String)].join("/")}`,
      detail: issue.message,
    })),
  });
}
