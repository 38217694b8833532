import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ConfigError, realClock, type Supervisor } from "../../index.js";
import type { ApiOptions, ApiParts } from "./apiOptions.js";
import { builtDashboard, loadAssets } from "./assets.js";
import { createAuth, credentialsOf, recognizer } from "../guard/auth.js";
import { assertJsonType } from "./body.js";
import type { ApiEnv } from "./endpoint.js";
import type { RawRequest } from "./rawRequest.js";
import { createFeed } from "../feed/feed.js";
import { judgeHead, type GuardRules } from "../guard/guard.js";
import { createMetrics } from "../telemetry/metrics.js";
import { openApiDocument } from "./openApi.js";
import { ProblemError, problemResponse, type Problem } from "../guard/problem.js";
import { headOfRequest } from "../guard/requestHead.js";
import { accountRoutes } from "./accounts.js";
import { attentionRoutes } from "./attention.js";
import { consumerRoutes } from "./consumers.js";
import { eventRoutes } from "./events.js";
import { healthRoutes } from "./health.js";
import { loginLink, loginRoutes } from "./login.js";
import { LoginDesk } from "./loginDesk.js";
import { networkRoutes } from "./network.js";
import { serverRoutes } from "./servers.js";
import { toolRoutes } from "./tools.js";
import { securityHeaders } from "../guard/securityHeaders.js";
import { createSessions } from "../guard/sessions.js";

/** The API as a web-standard handler, for a server of the host's own or for `serve`. */
export interface Api {
  /** Answers one request; never rejects. `bindings` are the raw Node request and its answer, where there are any. */
  fetch(request: Request, bindings?: RawRequest): Response | Promise<Response>;
  /** The OpenAPI 3.1 document, as served at /openapi.json. */
  document(): object;
  /**
   * A link into the dashboard that is good once, for ten minutes. Throws ConfigError without `token` in the options.
   */
  loginLink(): string;
  /** Whether this request is of somebody known; of an API with `authorize` alone nobody is. */
  knows(incoming: IncomingMessage): boolean;
  /** Ends all readers of the feed and gives up logins that it began; the supervisor goes on. */
  close(): void;
}

/** Builds the API of a supervisor. Throws ConfigError when nothing in the options decides who may come in. */
export function createApi(supervisor: Supervisor, options: ApiOptions): Api {
  if (options.token === undefined && options.authorize === undefined) {
    throw new ConfigError(
      "createApi needs `token` or `authorize`: an open API would let any program run commands",
    );
  }
  const parts = partsOf(supervisor, options);
  const app = new OpenAPIHono<ApiEnv>();
  protect(app, parts, options);
  for (const add of [
    serverRoutes,
    accountRoutes,
    toolRoutes,
    networkRoutes,
    attentionRoutes,
    consumerRoutes,
    eventRoutes,
    healthRoutes,
    loginRoutes,
  ])
    add(app, parts);
  const document = openApiDocument(app);
  app.get("/openapi.json", () => Response.json(document));
  serveDashboard(app, options.dashboard ?? builtDashboard());
  app.notFound(() => problemResponse({ status: 404, slug: "not-found", title: "There is nothing here" }));
  app.onError((error) => problemResponse(problemOf(error, options)));
  return {
    fetch: (request, bindings) => app.fetch(request, bindings ?? {}),
    document: () => document,
    knows: ({ headers }) => parts.recognize(credentialsOf(headers)) !== undefined,
    loginLink() {
      if (parts.sessions === undefined)
        throw new ConfigError("loginLink needs `token` in the options of createApi");
      return loginLink(parts.baseUrl() ?? "", parts.sessions);
    },
    close() {
      parts.feed.close();
      parts.logins.close();
      void parts.metrics.then((metrics) => metrics?.close());
    },
  };
}

function partsOf(supervisor: Supervisor, options: ApiOptions): ApiParts {
  const clock = options.clock ?? realClock;
  const { readers = 64, bufferedBytes = 1024 * 1024, heartbeatMs = 15_000, bodyBytes } = options.limits ?? {};
  const feed = createFeed(supervisor, clock, { readers, bufferedBytes, heartbeatMs }, randomUUID());
  const rules: GuardRules = options.rules ?? {
    hosts: options.hosts === undefined ? "loopback" : new Set(options.hosts),
    origins: originsOf(options),
    bodyBytes: bodyBytes ?? 4 * 1024 * 1024,
  };
  const sessions = options.token === undefined ? undefined : createSessions(clock, () => options.baseUrl?.());
  const metrics = options.metrics === false ? Promise.resolve(undefined) : createMetrics(supervisor, feed);
  // A failure shows at the scrape; without this line it would end the process before anybody asks.
  metrics.catch(() => undefined);
  return {
    supervisor,
    feed,
    sessions,
    metrics,
    logins: new LoginDesk(),
    rules,
    recognize: recognizer(options, sessions),
    baseUrl: () => options.baseUrl?.(),
    consumers: options.consumers,
  };
}

function originsOf({ hosts, origins }: ApiOptions): ReadonlySet<string> | "loopback" {
  if (origins !== undefined) return new Set(origins);
  return hosts === undefined ? "loopback" : new Set(hosts.map((host) => `http://${host}`));
}

/** Order matters: who is asked for, from where, by whom, and only then what is sent. */
function protect(app: OpenAPIHono<ApiEnv>, { rules, recognize }: ApiParts, options: ApiOptions): void {
  const roleOf = createAuth(options, recognize);
  app.use("*", async (context, next) => {
    await next();
    finish(context);
  });
  app.use("*", async (context, next) => {
    const refused = judgeHead(headOfRequest(context.req.raw), rules);
    if (refused !== undefined) throw new ProblemError(refused);
    if (isGuarded(context.req.path)) {
      const role = await roleOf(context.req.raw);
      if (role === undefined) throw new ProblemError(unauthorized);
      context.set("role", role);
    }
    if (isMutation(context.req.method)) assertJsonType(context.req.header("content-type"));
    await next();
  });
}

function finish(context: Context<ApiEnv>): void {
  for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
  if (!context.res.headers.has("cache-control")) context.res.headers.set("cache-control", "no-store");
}

function isGuarded(path: string): boolean {
  return (path.startsWith("/api/") && path !== "/api/mcp/login") || path === "/metrics";
}

function isMutation(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

function serveDashboard(app: OpenAPIHono<ApiEnv>, folder: string | false): void {
  if (folder === false) return;
  for (const [path, { body, headers }] of loadAssets(folder)) {
    app.get(path, () => new Response(body, { headers }));
  }
}

const unauthorized: Problem = {
  status: 401,
  slug: "unauthorized",
  title: "A token is needed",
  detail: "Send `Authorization: Bearer <token>`; the token is in service.token in the state folder.",
};

function problemOf(error: unknown, options: ApiOptions): Problem {
  if (error instanceof ProblemError) return error.problem;
  options.onError?.(error);
  return { status: 500, slug: "internal", title: "The service failed at this request" };
}
