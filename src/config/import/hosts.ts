import { isRecord } from "../fields/fields.js";
import type { ImportedServer, Taking } from "./report.js";
import { begin, finish, leave, move, moveTime, refuse, take } from "./report.js";
import type { VariableSyntax } from "./variables.js";
import { rewriteDeep } from "./variables.js";

/** Programs whose files can be read. */
export type Host =
  | "claude"
  | "vscode"
  | "cursor"
  | "windsurf"
  | "gemini"
  | "codex"
  | "zed"
  | "opencode"
  | "goose";

/** How one program writes an entry: its syntax of variables, and what it does beyond the common fields. */
interface Reader {
  readonly syntax: VariableSyntax;
  readonly read: (taking: Taking) => void;
}

const approvals = "approvals are not carried over; list tools in auto_approve to run them without asking";

const readers: Readonly<Record<Host, Reader>> = {
  claude: {
    syntax: "braces",
    read: (taking) => {
      moveTime(taking, "timeout", "ms");
      take(taking, "alwaysLoad"); // our servers start at once unless they are lazy
      leave(taking, "headersHelper", "mcpvisor runs no program to get headers");
    },
  },
  vscode: {
    syntax: "vscode",
    read: (taking) => {
      for (const field of ["sandbox", "sandboxEnabled"])
        leave(taking, field, "mcpvisor has no sandbox; the server runs without it");
      leave(taking, "dev", "mcpvisor does not restart servers when sources change");
    },
  },
  cursor: { syntax: "vscode", read: () => {} },
  windsurf: { syntax: "vscode", read: (taking) => exclude(taking, "disabledTools") },
  gemini: {
    syntax: "gemini",
    read: (taking) => {
      moveTime(taking, "timeout", "ms");
      // There a bare `url` means SSE, and `httpUrl` Streamable HTTP.
      if (taking.source["url"] !== undefined && taking.source["type"] === undefined)
        taking.result.set("type", "sse");
      include(taking, "includeTools");
      exclude(taking, "excludeTools");
      leave(taking, "tcp", "mcpvisor does not speak over web sockets");
    },
  },
  codex: {
    syntax: "none",
    read: (taking) => {
      moveTime(taking, "startup_timeout_sec", "s", "connectTimeout");
      moveTime(taking, "startup_timeout_ms", "ms", "connectTimeout");
      moveTime(taking, "tool_timeout_sec", "s");
      include(taking, "enabled_tools");
      exclude(taking, "disabled_tools");
      move(taking, "required");
      move(taking, "http_headers", "headers");
      passVariables(taking);
      headersFromVariables(taking);
      for (const field of ["default_tools_approval_mode", "tools"]) leave(taking, field, approvals);
    },
  },
  zed: {
    syntax: "none",
    read: (taking) => {
      moveTime(taking, "timeout", "s");
      take(taking, "source");
      const nested = taking.source["command"];
      if (!isRecord(nested)) return;
      for (const [field, ours] of [
        ["path", "command"],
        ["args", "args"],
        ["env", "env"],
      ] as const) {
        if (nested[field] !== undefined) taking.result.set(ours, nested[field]);
      }
      take(taking, "command");
    },
  },
  opencode: {
    syntax: "opencode",
    read: (taking) => {
      moveTime(taking, "timeout", "ms", "connectTimeout");
      move(taking, "environment", "env");
      const command = take(taking, "command");
      if (!Array.isArray(command)) return;
      taking.result.set("command", command[0]);
      if (command.length > 1) taking.result.set("args", command.slice(1));
    },
  },
  goose: {
    syntax: "none",
    read: (taking) => {
      moveTime(taking, "timeout", "s");
      move(taking, "cmd", "command");
      move(taking, "envs", "env");
      move(taking, "uri", "url");
      include(taking, "available_tools"); // none listed means all of them, as with us
      const keys = take(taking, "env_keys");
      if (Array.isArray(keys) && keys.length > 0) {
        taking.result.set("pass", keys);
        taking.notes.push(
          `env_keys: kept in another program's keyring; set as variables: ${keys.join(", ")}`,
        );
      }
      leave(taking, "socket", "mcpvisor does not speak over unix sockets");
      take(taking, "bundled");
    },
  },
};

const kinds: Readonly<Record<string, string>> = {
  stdio: "stdio",
  local: "stdio",
  http: "http",
  remote: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  streamable_http: "http",
  sse: "sse",
};

/** All of them. */
export const hosts = Object.keys(readers) as readonly Host[];

/** One entry of a program's file in our words. Approvals never come along; what is left out is noted by name. */
export function importEntry(host: Host, name: string, value: unknown): ImportedServer {
  if (!isRecord(value)) return refuse(name, "is no object of fields");
  const taking = begin(value);
  const type = take(taking, "type") ?? take(taking, "transport") ?? take(taking, "transportType");
  if (typeof type === "string" && !Object.hasOwn(kinds, type)) {
    return refuse(name, `has the transport ${JSON.stringify(type)}, which mcpvisor does not speak`);
  }
  const { read, syntax } = readers[host];
  read(taking);
  if (typeof type === "string" && kinds[type] !== "stdio") taking.result.set("type", kinds[type]);
  readCommon(taking);
  for (const field of ["command", "args", "cwd", "env", "url", "headers"]) {
    const each = taking.result.get(field);
    if (each !== undefined) taking.result.set(field, rewriteDeep(each, syntax, taking.notes));
  }
  const headers = taking.result.get("headers");
  if (taking.headers.length > 0) {
    taking.result.set("headers", {
      ...(isRecord(headers) ? headers : {}),
      ...Object.fromEntries(taking.headers),
    });
  }
  if (taking.result.get("command") === undefined && taking.result.get("url") === undefined) {
    return refuse(name, "has neither a command nor a url");
  }
  return finish(taking, name);
}

function readCommon(taking: Taking): void {
  for (const field of ["command", "args", "cwd", "url", "headers"])
    if (!taking.taken.has(field)) move(taking, field);
  for (const field of ["httpUrl", "serverUrl"]) move(taking, field, "url");
  readEnv(taking);
  const enabled = take(taking, "enabled");
  const disabled = take(taking, "disabled");
  if (enabled === false || disabled === true) taking.result.set("enabled", false);
  for (const field of ["trust", "autoApprove", "alwaysAllow"]) leave(taking, field, approvals);
  for (const field of ["oauth", "auth", "scopes", "oauth_resource"]) {
    leave(taking, field, "mcpvisor does not sign in by itself; put a token into headers");
  }
  leave(taking, "envFile", "mcpvisor reads no dotenv files; set the variables instead");
  for (const field of ["description", "display_name", "displayName", "title", "icon", "icons", "name"])
    take(taking, field);
}

/** VS Code allows null for "unset", which has no counterpart. */
function readEnv(taking: Taking): void {
  move(taking, "env");
  const env = taking.result.get("env");
  if (!isRecord(env)) return;
  for (const [name, value] of Object.entries(env)) {
    if (value === null) taking.notes.push(`env.${name}: mcpvisor cannot unset a variable; left out`);
  }
  const set = Object.entries(env).filter(([, value]) => value !== null);
  if (set.length === 0) taking.result.delete("env");
  else taking.result.set("env", Object.fromEntries(set));
}

function include(taking: Taking, field: string): void {
  tools(taking, "include", take(taking, field));
}

function exclude(taking: Taking, field: string): void {
  tools(taking, "exclude", take(taking, field));
}

function tools(taking: Taking, which: "include" | "exclude", list: unknown): void {
  if (!Array.isArray(list) || list.length === 0) return;
  const before = taking.result.get("tools");
  taking.result.set("tools", { ...(isRecord(before) ? before : {}), [which]: list });
}

/** Codex `env_vars`: names, or `{name, source}`. */
function passVariables(taking: Taking): void {
  const variables = take(taking, "env_vars");
  if (!Array.isArray(variables)) return;
  const names = variables.map((each: unknown) => (isRecord(each) ? each["name"] : each));
  taking.result.set(
    "pass",
    names.filter((each) => typeof each === "string"),
  );
}

/** Codex `env_http_headers` and `bearer_token_env_var`: headers whose value is a variable. */
function headersFromVariables(taking: Taking): void {
  const byName = take(taking, "env_http_headers");
  const bearer = take(taking, "bearer_token_env_var");
  for (const [name, variable] of isRecord(byName) ? Object.entries(byName) : []) {
    if (typeof variable === "string") taking.headers.push([name, `\${${variable}}`]);
  }
  if (typeof bearer === "string") taking.headers.push(["Authorization", `Bearer \${${bearer}}`]);
}
