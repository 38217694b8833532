import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { ApiParts } from "./apiOptions.js";
import { mount, type ApiEnv } from "./endpoint.js";
import { ProblemError } from "../guard/problem.js";
import type { Sessions } from "../guard/sessions.js";

const tag = "dashboard";

/** The way into the dashboard: a link that is good once becomes a login. */
export function loginRoutes(app: OpenAPIHono<ApiEnv>, { sessions, rules, baseUrl }: ApiParts): void {
  if (sessions === undefined) return;
  mount(
    app,
    {
      method: "post",
      path: "/api/mcp/login-links",
      tag,
      summary: "A new one-time link to the dashboard",
      answers: {
        201: { description: "Good once, for ten minutes", schema: z.object({ url: z.string() }) },
      },
      handle: () => Response.json({ url: loginLink(baseUrl() ?? "", sessions) }, { status: 201 }),
    },
    rules.bodyBytes,
  );
  mount(
    app,
    {
      method: "post",
      path: "/api/mcp/login",
      tag,
      summary: "Exchange a one-time code for both halves of a login",
      description:
        "The cookie is one half; `page` is the other and goes along as the header `x-mcpvisor-page`. Either alone is " +
        "worth nothing. Good for twelve hours, and no longer than the service runs.",
      open: true,
      bodyLimit: { bytes: 1024, ms: 2000 },
      body: z.strictObject({ code: z.string().max(100) }),
      answers: {
        200: { description: "The cookie is set", schema: z.object({ page: z.string() }) },
        401: { description: "Used, too old, or never given out", problem: "login-code-invalid" },
      },
      handle: ({ body }) => {
        const login = sessions.redeem(body.code);
        if (login === undefined) throw badCode();
        return Response.json({ page: login.page }, { headers: { "set-cookie": login.cookie } });
      },
    },
    rules.bodyBytes,
  );
}

/** The code travels in the fragment: it is never sent by itself, logged, or handed on as a referrer. */
export function loginLink(baseUrl: string, sessions: Sessions): string {
  return `${baseUrl}/#login=${sessions.newCode()}`;
}

function badCode(): ProblemError {
  return new ProblemError({
    status: 401,
    slug: "login-code-invalid",
    title: "The login code is not good",
    detail: "This link was used already, or is too old. Ask for a new one with:",
  });
}
