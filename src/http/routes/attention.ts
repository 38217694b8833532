import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { attentionOf } from "../../index.js";
import type { ApiParts } from "./apiOptions.js";
import { mount, type ApiEnv } from "./endpoint.js";

const item = z
  .object({
    id: z.string(),
    tone: z.enum(["bad", "wait", "note"]),
    server: z.string().optional(),
    text: z.string(),
    advice: z.string(),
    fix: z
      .looseObject({ do: z.enum(["decide", "login", "connect", "restart", "network", "edit", "end"]) })
      .openapi({
        description: "What a button would do, with what it needs: `server`, `approvals`, `file`, `pids`.",
      }),
  })
  .openapi("AttentionItem");

/** What a person should look at. */
export function attentionRoutes(app: OpenAPIHono<ApiEnv>, { supervisor, rules }: ApiParts): void {
  mount(
    app,
    {
      method: "get",
      path: "/api/mcp/attention",
      tag: "attention",
      summary: "What needs attention, the most urgent first",
      answers: { 200: { description: "Nothing while all is well", schema: z.array(item) } },
      handle: () =>
        Response.json(
          attentionOf({
            servers: supervisor.servers(),
            approvals: supervisor.approvals(),
            problems: supervisor.problems(),
          }),
        ),
    },
    rules.bodyBytes,
  );
}
