import type { Attributes } from "@opentelemetry/api";
import type { Cause, CauseKind, FactOf, ServerStatus } from "../../index.js";

/** Attributes of a tools/call after the MCP semantic conventions (semantic-conventions-genai, mid-2026). */
export function callAttributes(tool: string): Attributes {
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
  };
}

/** How a server is reached. No process ids and no paths: they would make each life a new series. */
export function transportAttributes(status: ServerStatus | undefined): Attributes {
  if (status === undefined) return {};
  const { transport, protocolVersion, target } = status;
  const version = protocolVersion === undefined ? {} : { "mcp.protocol.version": protocolVersion };
  if (transport === "stdio") return { ...version, "network.transport": "pipe" };
  if (transport === "memory") return version;
  return {
    ...version,
    "network.transport": "tcp",
    "network.protocol.name": "http",
    ...addressOf(target["url"]),
  };
}

/** `tool_error` for a result with isError, else the kind of failure. */
export function errorType(fact: FactOf<"mcp.call.settled">): string | undefined {
  if (fact.ok) return undefined;
  return fact.failure === "tool-error" ? "tool_error" : (fact.failure ?? "internal");
}

const wanted: ReadonlySet<CauseKind> = new Set<CauseKind>([
  "clean-exit",
  "requested",
  "restart-requested",
  "config-changed",
  "disabled",
  "network-off",
  "idle",
  "max-lifetime",
  "removed",
  "stopping",
]);

/** Why a session broke; undefined when it ended because somebody wanted it to. */
export function sessionError({ kind }: Cause): string | undefined {
  return wanted.has(kind) ? undefined : kind;
}

function addressOf(url: unknown): Attributes {
  if (typeof url !== "string" || !URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === "https:" ? 443 : 80;
  return { "server.address": hostname, "server.port": port === "" ? usual : Number(port) };
}
