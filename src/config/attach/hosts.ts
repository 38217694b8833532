import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";

/** Programs that mcpvisor can be written into. */
export const attachHosts = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "codex",
  "gemini",
  "opencode",
  "zed",
  "windsurf",
] as const;

/** One of them. */
export type AttachHost = (typeof attachHosts)[number];

/** How the host is to reach us: a command that it starts, or an address with the token of a consumer. */
export type Way =
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string; readonly token: string };

/** How a host writes servers. */
export interface HostShape {
  /** Its name as people know it. */
  readonly title: string;
  readonly format: "json" | "toml";
  /** Keys that lead to the map of servers in a file that reads like this. */
  readonly under: (root: unknown) => readonly string[];
  /** Undefined: the host has no such way. */
  readonly entry: (way: Way, root: unknown) => Fields | undefined;
  /** What a person does after the file was written. */
  readonly next: string;
}

const bearer = (token: string): Fields => ({ Authorization: `Bearer ${token}` });

/** The common shape: a command with its arguments, or an address under the host's own name for it. */
function plain(way: Way, url: string, more: { stdio?: Fields; http?: Fields } = {}): Fields {
  return way.kind === "stdio"
    ? { ...more.stdio, command: way.command, args: [...way.args] }
    : { ...more.http, [url]: way.url, headers: bearer(way.token) };
}

const mcpServers = (): readonly string[] => ["mcpServers"];

/** All shapes, by host (each from the host's own documentation of its file). */
export const shapes: Readonly<Record<AttachHost, HostShape>> = {
  "claude-code": {
    title: "Claude Code",
    format: "json",
    under: mcpServers,
    entry: (way) => plain(way, "url", { stdio: { type: "stdio" }, http: { type: "http" } }),
    next: "start a new session; `/mcp` shows it",
  },
  "claude-desktop": {
    title: "Claude Desktop",
    format: "json",
    under: mcpServers,
    entry: (way) => (way.kind === "stdio" ? plain(way, "url") : undefined),
    next: "quit and start the app",
  },
  cursor: {
    title: "Cursor",
    format: "json",
    under: mcpServers,
    entry: (way) => plain(way, "url"),
    next: "switch the server on under Settings, MCP",
  },
  vscode: {
    title: "VS Code",
    format: "json",
    under: () => ["servers"],
    entry: (way) => plain(way, "url", { stdio: { type: "stdio" }, http: { type: "http" } }),
    next: "run `MCP: List Servers` and start it",
  },
  codex: {
    title: "Codex",
    format: "toml",
    under: () => ["mcp_servers"],
    entry: (way) =>
      way.kind === "stdio"
        ? { command: way.command, args: [...way.args] }
        : { url: way.url, http_headers: bearer(way.token) },
    next: "start a new session",
  },
  gemini: {
    title: "Gemini CLI",
    format: "json",
    under: mcpServers,
    // There a bare `url` means SSE.
    entry: (way) => plain(way, "httpUrl"),
    next: "start a new session; `/mcp` shows it",
  },
  opencode: {
    title: "opencode",
    format: "json",
    under: (root) => (isSecondVersion(root) ? ["mcp", "servers"] : ["mcp"]),
    entry(way, root) {
      const on = isSecondVersion(root) ? { disabled: false } : { enabled: true };
      return way.kind === "stdio"
        ? { type: "local", command: [way.command, ...way.args], ...on }
        : { type: "remote", url: way.url, headers: bearer(way.token), ...on };
    },
    next: "start a new session",
  },
  zed: {
    title: "Zed",
    format: "json",
    under: () => ["context_servers"],
    entry: (way) => plain(way, "url", { stdio: { env: {} } }),
    next: "the agent panel's settings show it",
  },
  windsurf: {
    title: "Windsurf",
    format: "json",
    under: mcpServers,
    entry: (way) => plain(way, "serverUrl"),
    next: "refresh the servers in the Cascade panel",
  },
};

/** opencode moves its servers from `mcp.NAME` to `mcp.servers.NAME`; a file that has begun with either stays with it. */
function isSecondVersion(root: unknown): boolean {
  const mcp = isRecord(root) ? root["mcp"] : undefined;
  return isRecord(mcp) && isRecord(mcp["servers"]) && mcp["servers"]["type"] === undefined;
}

/** Our program, however it is called: by name, by npx, or by its path. */
const ownProgram = /(?:^|[\\/])mcpvisor(?:@|$)|[\\/]dist[\\/]cli[\\/]main\.js$/;

/** Whether an entry of a host is mcpvisor's own gateway. */
export function isOwnEntry(entry: Fields): boolean {
  const command = entry["command"];
  const args = entry["args"];
  const words = [command, args].flat().filter((each) => typeof each === "string");
  const at = words.indexOf("serve");
  return at > 0 && words.includes("--stdio", at) && words.slice(0, at).some((each) => ownProgram.test(each));
}
