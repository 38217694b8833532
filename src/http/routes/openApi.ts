import { pageHeader } from "../guard/sessions.js";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ApiEnv } from "./endpoint.js";

/** The OpenAPI 3.1 document of all mounted routes. */
export function openApiDocument(app: OpenAPIHono<ApiEnv>): object {
  app.openAPIRegistry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" });
  app.openAPIRegistry.registerComponent("securitySchemes", "agentToken", { type: "http", scheme: "bearer" });
  // A cookie as well, which is the other half of the login.
  app.openAPIRegistry.registerComponent("securitySchemes", "dashboard", {
    type: "apiKey",
    in: "header",
    name: pageHeader,
  });
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "mcpvisor",
      version: "1",
      description: "Servers, tools, calls and events of one supervisor.",
    },
  });
}
