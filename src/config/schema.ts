import { z } from "zod";
import { legacyRevisions, modernRevisions } from "../protocol/revision.js";

/** Schemas of the two dialects, for editors (published as JSON Schema) and tests; files are read without them. */

const duration = z
  .string()
  .regex(/^(\d+(\.\d+)?d)?(\d+(\.\d+)?h)?(\d+(\.\d+)?m)?(\d+(\.\d+)?s)?(\d+(\.\d+)?ms)?$/)
  .min(2)
  .describe("A duration such as 30s, 2m, 1h30m or 500ms");
const seconds = z.union([z.number().min(0), duration]).describe("Seconds, or a duration such as 30s or 2m");
const milliseconds = z
  .union([z.number().min(0), duration])
  .describe("A duration such as 30s or 2m, or milliseconds");
const texts = z.array(z.string());
const value = z.union([z.string(), z.number(), z.boolean()]);
const values = z.record(z.string(), value);
const count = z.int().min(0);

const limits = z
  .object({
    messageBytes: count.describe("One message, in bytes (16 MiB)"),
    depth: count.describe("Nesting of JSON in a message (200)"),
    pages: count.describe("Pages of a tool list (20)"),
    tools: count.describe("Tools of one server (500)"),
    schemaBytes: count.describe("One tool's schema, in bytes (256 KiB)"),
    resultChars: count.describe("Text of a result, in characters (12000)"),
    stderrLines: count.describe("Lines of stderr that are kept (20)"),
    stderrBytes: count.describe("Bytes of stderr that are kept (64 KiB)"),
    inFlight: count.describe("Calls at the same time (16)"),
    queued: count.describe("Calls that wait (256)"),
    unsentBytes: count.describe("Bytes that may wait for a server that does not read (8 MiB)"),
  })
  .partial();

const oauth = z
  .object({
    clientId: z.string().describe("A client that you registered there"),
    clientSecret: z.string().describe("Its secret"),
    clientKey: z.string().describe("Path of its private key (PEM)"),
    clientMetadataUrl: z.string().describe("Address of a client id metadata document"),
    scopes: texts.describe("What to ask for; a project's file may say this only"),
    account: z.string().describe("Which of several accounts at this address (default)"),
    grant: z.enum(["code", "client_credentials", "device"]).describe("How a token is got (code)"),
    redirect: z
      .union([z.string(), z.object({ host: z.string(), port: count, path: z.string() }).partial()])
      .describe("Where the browser comes back to (127.0.0.1, a free port)"),
    issuer: z.string().describe("The exact issuer that its metadata carries"),
    resource: z.union([z.string(), z.literal(false)]).describe("The resource parameter; false sends none"),
    pkce: z.literal("assume").describe("It checks PKCE although it does not say so"),
    authorizeParams: z.record(z.string(), z.string()).describe("Further parameters of the address to open"),
  })
  .partial();

const proxy = z.union([z.string().min(1), z.literal(false)]);

const behaviour = {
  command: z.string().min(1).describe("The program to start (stdio); placeholders are filled in"),
  args: texts.describe("Its arguments, each by itself; no shell is involved"),
  env: values.describe("Variables of its own; values are secrets and win over what is inherited"),
  cwd: z.string().describe("Where it runs; the folder of this file by default"),
  url: z.string().min(1).describe("Address (http): https, or http on 127.0.0.1, localhost or ::1"),
  headers: values.describe("Headers of every request; values are secrets"),
  proxy: proxy.describe("Reached through this proxy; false: through none, whatever HTTPS_PROXY says"),
  tls: z
    .object({ ca: z.string(), cert: z.string(), key: z.string() })
    .partial()
    .describe("PEM files: a further authority to trust, a certificate of our own and its key"),
  oauth: z.union([z.literal(false), oauth]).describe("How authorization goes; false: never with a token"),
  enabled: z.boolean().describe("Connect at start and offer the tools (true)"),
  auto_approve: texts.describe("Tools, as the server names them, that run without asking"),
  trusted: z.boolean().describe("Its hints and auto_approve count; in a project's file only once approved"),
  restart: z
    .enum(["lazy", "eager", "never"])
    .describe("After it ended: with the next call (lazy), at once, or never"),
  lazy: z.boolean().describe("Start with the first call only (false)"),
  sharing: z
    .enum(["auto", "shared", "consumer"])
    .describe(
      "Consumers of the gateway use it together, in turns once it asks (auto), or each in a life of its own",
    ),
  required: z.boolean().describe("The fleet is not ready without it (false)"),
  retry: z
    .enum(["never", "safe"])
    .describe("safe: send read-only or idempotent calls again after a lost connection"),
  inherit: z
    .enum(["safe", "minimal", "all"])
    .describe("What of our environment it sees: all but credentials (safe) …"),
  pass: texts.describe("Variables it sees whatever inherit says"),
  tools: z.object({ include: texts, exclude: texts }).partial().describe("Tools to offer, tools to hide"),
  limits: limits.describe("Limits of this server"),
  protocolVersion: z
    .enum(["auto", ...modernRevisions, ...legacyRevisions])
    .describe("The MCP revision to offer, or what server and client agree on (auto)"),
  coerce: z.boolean().describe("Turn arguments of a near type into the declared one (true)"),
  outputSchema: z
    .enum(["warn", "fail", "off"])
    .describe("What a mismatch with the output schema does (warn)"),
  chaos: z.boolean().describe("May be tortured by mcpvisor chaos (false)"),
};

function times(time: typeof seconds) {
  return {
    timeout: time.describe("Idle limit of one call"),
    maxTimeout: time.describe("Limit of one call in all, whatever progress comes (10 times its idle limit)"),
    connectTimeout: time.describe("Over connecting, initializing and listing (20 s)"),
    idleTimeout: time.describe("End it after so long without a call"),
    maxLifetime: time.describe("Begin a new life after so long"),
    health: time.describe("Ping it while idle, every so often; 0 is off"),
    shutdown: z
      .object({ eof: time, term: time, kill: time })
      .partial()
      .describe("How long each step of ending waits"),
  };
}

const settingsServer = z
  .looseObject({
    name: z.string().min(1).max(128).describe("Display name"),
    transport: z.enum(["stdio", "http", "sse"]),
    ...behaviour,
    ...times(seconds),
    timeout: z
      .union([z.number().min(1).max(600), duration])
      .describe("Idle limit of one call: seconds, 1 to 600 (60)"),
  })
  .partial()
  .extend({
    id: z
      .string()
      .regex(/^[a-z0-9_-]{1,32}$/)
      .describe("Part of every tool name"),
  });

const mcpServer = z
  .looseObject({
    type: z.enum(["stdio", "http", "sse", "streamable-http", "streamableHttp", "streamable_http"]),
    disabled: z.boolean().describe("The opposite of enabled"),
    ...behaviour,
    ...times(milliseconds),
  })
  .partial();

/** Dialect (a): settings.json with its section `mcp`. */
export const settingsSchema = z
  .looseObject({
    mcp: z
      .looseObject({
        servers: z.array(settingsServer),
        proxy: proxy.describe("The proxy of every server with a url whose entry names none; false: none"),
      })
      .partial(),
  })
  .partial()
  .describe("mcpvisor: settings.json");

/** Dialect (b): files with `mcpServers`. */
export const mcpSchema = z
  .looseObject({ mcpServers: z.record(z.string(), mcpServer) })
  .partial()
  .describe("mcpvisor: mcp.json and .mcp.json");
