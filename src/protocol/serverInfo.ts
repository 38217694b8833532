import type { ServerInfo } from "./mcp.js";

/** What a server says about itself, for display only; a server that says nothing is "unknown". */
export function readServerInfo(value: unknown): ServerInfo {
  const info = isRecord(value) ? value : {};
  return {
    name: typeof info["name"] === "string" ? info["name"] : "unknown",
    version: typeof info["version"] === "string" ? info["version"] : "unknown",
    ...(typeof info["title"] === "string" ? { title: info["title"] } : {}),
  };
}

/** The capabilities of an answer, or none. */
export function readCapabilities(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** A JSON object, as opposed to a list, null or a plain value. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
