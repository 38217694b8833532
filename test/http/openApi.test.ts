import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi } from "../../src/http/index.js";
import { problemSlugs } from "../../src/http/guard/problem.js";
import { serverStatus, tool, toolResult, approval } from "../../src/http/routes/schemas.js";
import { approvalOf, fakeSupervisor, resultOf, statusOf, toolOf } from "./fakeSupervisor.js";
import { renderApi } from "./renderApi.js";
import { rig } from "./rig.js";

const preface = `# HTTP API

\`mcpvisor up --http\` serves this API and the [dashboard](dashboard.md) on 127.0.0.1 or a unix socket;
\`createApi(supervisor, options).fetch\` from \`mcpvisor/http\` mounts it in a server of your own. The same as OpenAPI 3.1
is at \`/openapi.json\`. This page is made from it: \`npx vitest run test/http/openApi.test.ts -u\`.

**Who may come in.** Send \`Authorization: Bearer <token>\`. Two tokens lie in the state folder (mode 0600, made at the first
start; \`rotateToken(home)\` replaces the first): \`service.token\` may do everything; \`agent.token\` may look at servers and
tools and call them, and gets 403 \`forbidden\` for all else: an agent with it cannot approve its own calls or add a server.
The dashboard uses a one-time link that becomes a login of two halves, a strict cookie and a header of the page; a cookie
alone, which a browser gives to every port of this machine, is worth nothing. Requests with a foreign \`Host\` or \`Origin\` get 403 before their body is read, on every route. Mutations must say
\`Content-Type: application/json\`. No CORS header is ever sent. Another than a loopback address needs \`allowRemote\`.

**Limits.** Headers within 5 s, a request within 15 s, bodies of 4 MiB and 200 levels, 256 connections (above that the
oldest silent one goes, then one that has shown no token, then an idle one), 1 KiB within 2 s to log in, 64 readers of the feed. 200 readers (with \`limits\` raised) took 100,000 facts each, in order, for
8.1 s of CPU, readers included (\`npm run test:feed\`). With 1,000 connections that say nothing and come back a second after
they are shed, a good request took 13 ms at the median and 80 ms at p99, on two cores with a load average of 26.

**Errors** are \`application/problem+json\` (RFC 9457). \`type\` is \`urn:mcpvisor:problem:<code>\`, and \`code\` one of:
${problemSlugs.map((slug) => `\`${slug}\``).join(", ")}.

**Times** are epoch milliseconds, durations milliseconds. Absent members are left out. Values of env and headers are shown
as \`********\`; \`********\` posted back keeps the stored value.

`;

describe("the OpenAPI document", () => {
  it("is served, and docs/http-api.md is what it says", async () => {
    const { service } = await rig();

    const served = (await (await fetch(`${service.url}/openapi.json`)).json()) as { openapi: string };

    expect(served.openapi).toBe("3.1.0");
    await expect(`${preface}${renderApi(served)}\n`).toMatchFileSnapshot(
      resolve(import.meta.dirname, "../../docs/http-api.md"),
    );
  });

  it("lists every route of the contract", () => {
    const api = createApi(fakeSupervisor(), { token: "x", dashboard: false, metrics: false });
    const { paths } = api.document() as { paths: Record<string, Record<string, unknown>> };
    api.close();

    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.toSorted()).toEqual([
      "DELETE /api/mcp/consumers/{name}",
      "DELETE /api/mcp/logins/{login}",
      "DELETE /api/mcp/servers/{id}",
      "GET /api/mcp/accounts",
      "GET /api/mcp/approvals",
      "GET /api/mcp/attention",
      "GET /api/mcp/consumers",
      "GET /api/mcp/events",
      "GET /api/mcp/logins/{login}",
      "GET /api/mcp/network",
      "GET /api/mcp/problems",
      "GET /api/mcp/servers",
      "GET /api/mcp/servers/{id}",
      "GET /api/mcp/servers/{id}/tools",
      "GET /api/mcp/tools",
      "GET /healthz",
      "GET /metrics",
      "GET /readyz",
      "POST /api/mcp/approvals/{id}",
      "POST /api/mcp/consumers",
      "POST /api/mcp/consumers/{name}/rotate",
      "POST /api/mcp/login",
      "POST /api/mcp/login-links",
      "POST /api/mcp/logins/{login}/answer",
      "POST /api/mcp/network",
      "POST /api/mcp/servers",
      "POST /api/mcp/servers/{id}/connect",
      "POST /api/mcp/servers/{id}/disable",
      "POST /api/mcp/servers/{id}/disconnect",
      "POST /api/mcp/servers/{id}/enable",
      "POST /api/mcp/servers/{id}/login",
      "POST /api/mcp/servers/{id}/logout",
      "POST /api/mcp/servers/{id}/restart",
      "POST /api/mcp/tools/{name}/call",
      "PUT /api/mcp/servers/{id}",
    ]);
  });

  it("describes answers with nothing left out and nothing made up", () => {
    expect(serverStatus.strict().parse(statusOf("files"))).toEqual(statusOf("files"));
    expect(tool.strict().parse(toolOf("files", "read"))).toEqual(toolOf("files", "read"));
    expect(approval.strict().parse(approvalOf("a1"))).toEqual(approvalOf("a1"));
    expect(toolResult.strict().parse(resultOf("t", "x"))).toEqual(resultOf("t", "x"));
  });
});
