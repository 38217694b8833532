import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { ApiParts } from "./apiOptions.js";
import { mount, type ApiEnv } from "./endpoint.js";
import { ProblemError } from "../guard/problem.js";

const tag = "health";

/** For probes and scrapers. Open routes say nothing about names. */
export function healthRoutes(app: OpenAPIHono<ApiEnv>, { supervisor, metrics, rules }: ApiParts): void {
  mount(
    app,
    {
      method: "get",
      path: "/healthz",
      tag,
      summary: "Whether the service answers",
      open: true,
      answers: { 200: { description: "It does", schema: z.object({ status: z.literal("ok") }) } },
      handle: () => Response.json({ status: "ok" }),
    },
    rules.bodyBytes,
  );
  mount(
    app,
    {
      method: "get",
      path: "/readyz",
      tag,
      summary: "Whether every enabled server is ready, or idle because it is lazy",
      open: true,
      answers: {
        200: { description: "Yes", schema: z.object({ ready: z.boolean() }) },
        503: { description: "Not (yet)", schema: z.object({ ready: z.boolean() }) },
      },
      handle: async () => {
        const { ok } = await supervisor.ready({ timeout: 1 });
        return Response.json({ ready: ok }, { status: ok ? 200 : 503 });
      },
    },
    rules.bodyBytes,
  );
  mount(
    app,
    {
      method: "get",
      path: "/metrics",
      tag,
      summary: "Prometheus text (docs/telemetry.md)",
      answers: {
        200: { description: "All metrics", schema: z.string(), type: "text/plain" },
        404: { description: "Metrics are switched off", problem: "metrics-off" },
      },
      handle: async () => {
        const loaded = await metrics;
        if (loaded === undefined) {
          throw new ProblemError({ status: 404, slug: "metrics-off", title: "Metrics are switched off" });
        }
        return new Response(await loaded.text(), { headers: { "content-type": loaded.contentType } });
      },
    },
    rules.bodyBytes,
  );
}
