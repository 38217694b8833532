import { z } from "@hono/zod-openapi";

/** Shapes of the API as zod schemas: requests are checked against them, docs/http-api.md is made from them. */
const cause = z
  .object({
    kind: z.string().openapi({ example: "crashed" }),
    message: z.string(),
    exitCode: z.number().optional(),
    signal: z.string().optional(),
    httpStatus: z.number().optional(),
    retryAfterMs: z.number().optional(),
    stderrTail: z.array(z.string()).optional(),
  })
  .openapi("Cause");

export const serverStatus = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(["inline", "settings", "user", "project", "builtin"]),
    file: z.string().optional(),
    hides: z
      .string()
      .optional()
      .openapi({ description: "File whose entry of the same name this one hides." }),
    transport: z.enum(["stdio", "http", "sse", "memory"]),
    enabled: z.boolean(),
    trusted: z.boolean(),
    state: z.string().openapi({ example: "ready", description: "One of the states in docs/states.md." }),
    since: z.number().openapi({ description: "Epoch ms of the last change of state." }),
    cause,
    generation: z.number(),
    protocolVersion: z.string().optional(),
    serverInfo: z.object({ name: z.string(), version: z.string(), title: z.string().optional() }).optional(),
    instructions: z.string().optional(),
    capabilities: z.record(z.string(), z.unknown()).optional(),
    outdated: z.literal(true).optional().openapi({
      description:
        "It serves with its connection of before the last change of its entry; `warnings` and `lastError` say why.",
    }),
    toolCount: z.number(),
    pids: z.array(z.number()),
    restarts: z.number(),
    nextAttemptAt: z.number().optional(),
    lastError: cause.optional(),
    inFlight: z.number(),
    queued: z.number(),
    calls: z.number(),
    failures: z.number(),
    latency: z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).optional(),
    warnings: z.array(z.string()),
    target: z
      .record(z.string(), z.unknown())
      .openapi({ description: "Env and header values are shown as `********`." }),
    stderrTail: z.array(z.string()),
  })
  .openapi("ServerStatus");

const json = z.record(z.string(), z.unknown());
const duration = z.union([z.number(), z.string()]);
const words = z.array(z.string());

export const serverConfig = z
  .looseObject({
    id: z.string().regex(/^[a-z0-9_-]{1,32}$/),
    name: z.string().optional(),
    transport: z.enum(["stdio", "http", "sse"]).optional(),
    command: z.string().optional(),
    args: words.optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
    url: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    enabled: z.boolean().optional(),
    auto_approve: words.optional(),
    timeout: duration.optional(),
  })
  .openapi("ServerConfig", {
    description:
      "An entry as in settings.json (docs/configuration.md); `********` as a value keeps the stored one.",
  });

export const serverPatch = z.looseObject({ id: serverConfig.shape.id }).openapi("ServerPatch", {
  description:
    "Fields of an entry that are to change (JSON Merge Patch, RFC 7396): objects are merged field by field, `null` takes a field away.",
});

export const tool = z
  .object({
    name: z.string().openapi({ example: "mcp_files_read" }),
    server: z.string(),
    tool: z.string(),
    title: z.string(),
    description: z.string(),
    inputSchema: json,
    outputSchema: json.optional(),
    annotations: json,
    permission: z.enum(["allow", "ask", "deny"]),
    pin: z.enum(["new", "pinned", "changed"]),
    cached: z.boolean().optional(),
  })
  .openapi("ToolDescriptor");

export const callRequest = z
  .strictObject({
    arguments: z.unknown().optional(),
    timeout: duration.optional().openapi({ description: "Milliseconds, or text such as `30s`." }),
    caller: z.string().max(200).optional(),
  })
  .openapi("CallRequest");

export const toolResult = z
  .object({
    ok: z.boolean(),
    text: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    structured: z.unknown().optional(),
    warnings: words,
    call: z.object({
      id: z.string(),
      server: z.string(),
      tool: z.string(),
      name: z.string(),
      queuedMs: z.number(),
      durationMs: z.number(),
      approvalMs: z.number().optional(),
      sent: z.enum(["no", "yes", "unknown"]),
    }),
    failure: z
      .object({
        kind: z.string(),
        message: z.string(),
        code: z.number().optional(),
        data: z.unknown().optional(),
        retryAfterMs: z.number().optional(),
      })
      .optional(),
  })
  .openapi("ToolResult");

const answer = z.enum(["allow", "allow-for-session", "allow-for-good", "deny"]);

export const approval = z
  .object({
    id: z.string(),
    kind: z.enum(["call", "server"]),
    server: z.string(),
    tool: z.string(),
    title: z.string(),
    arguments: z.unknown(),
    annotations: json,
    reason: z.string(),
    consumer: z.string().optional(),
    difference: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })).optional(),
    answers: z.array(answer).openapi({ description: "The answers that make a difference here." }),
    remedies: z
      .object({ autoApprove: z.boolean(), modes: words })
      .openapi({ description: "What would let such a call run without a question." }),
    askedAt: z.number(),
    expiresAt: z.number(),
  })
  .openapi("ApprovalRequest");

export const decision = z.strictObject({ decision: answer }).openapi("Decision");

export const configProblem = z
  .object({
    severity: z.enum(["error", "warning"]),
    message: z.string(),
    server: z.string().optional(),
    path: z.string().optional(),
    file: z.string().optional(),
    line: z.number().optional(),
    column: z.number().optional(),
    hint: z.string().optional(),
  })
  .openapi("ConfigProblem");

export const problem = z
  .looseObject({
    type: z.string().openapi({ example: "urn:mcpvisor:problem:server-not-found" }),
    title: z.string(),
    status: z.number(),
    detail: z.string().optional(),
    code: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .openapi("Problem");
