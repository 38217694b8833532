import { isRecord } from "../fields/fields.js";
import type { Taking } from "./report.js";
import { leave, move, moveTime, take } from "./report.js";
import type { VariableSyntax } from "./variables.js";

/** Programs whose files can be read. */
export type Host =
  | "claude"
  | "cline"
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

/** Why approvals of another program do not count with us. */
export const approvals =
  "approvals are not carried over; list tools in auto_approve to run them without asking";

/** The readers of all programs. */
export const readers: Readonly<Record<Host, Reader>> = {
  claude: {
    syntax: "braces",
    read: (taking) => {
      moveTime(taking, "timeout", "ms");
      if (Array.isArray(taking.source["tools"])) include(taking, "tools");
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
  // Cline and Roo.
  cline: {
    syntax: "vscode",
    read: (taking) => {
      moveTime(taking, "timeout", "s");
      exclude(taking, "disabledTools");
      leave(taking, "watchPaths", "mcpvisor does not restart servers when files change");
      leave(taking, "restart", "mcpvisor restarts servers by its own rules");
    },
  },
};

/** All programs whose files can be read. */
export const hosts = Object.keys(readers) as readonly Host[];

function include(taking: Taking, field: string): void {
  tools(taking, "include", take(taking, field));
}

function exclude(taking: Taking, field: string): void {
  tools(taking, "exclude", take(taking, field));
}

function tools(taking: Taking, which: "include" | "exclude", list: unknown): void {
  // A star in a list of what is offered means all of it.
  if (!Array.isArray(list) || list.length === 0 || (which === "include" && list.includes("*"))) return;
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
