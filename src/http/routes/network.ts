import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { ApiParts } from "./apiOptions.js";
import { mount, type ApiEnv } from "./endpoint.js";

const network = z
  .strictObject({ enabled: z.boolean() })
  .openapi("Network", { description: "Whether servers with a url may be connected." });

/** The switch of the network: off parks every server with a url, on brings them back. */
export function networkRoutes(app: OpenAPIHono<ApiEnv>, { supervisor, rules }: ApiParts): void {
  const tag = "servers";
  const path = "/api/mcp/network";
  const answers = { 200: { description: "How it is now", schema: network } };
  const now = (): Response => Response.json({ enabled: supervisor.network() });
  mount(
    app,
    { method: "get", path, tag, summary: "Whether the network is switched on", answers, handle: now },
    rules.bodyBytes,
  );
  mount(
    app,
    {
      method: "post",
      path,
      tag,
      summary: "Switch the network on or off; off parks every server with a url at once",
      body: network,
      answers,
      handle: ({ body }) => {
        supervisor.setNetwork(body.enabled);
        return now();
      },
    },
    rules.bodyBytes,
  );
}
