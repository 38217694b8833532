import { isRecord } from "../fields/fields.js";
import { isOwnEntry } from "../attach/hosts.js";
import type { Host } from "./hosts.js";
import { approvals, readers } from "./hosts.js";
import type { ImportedServer, Taking } from "./report.js";
import { begin, finish, leave, move, refuse, take } from "./report.js";
import { rewriteDeep } from "./variables.js";

/** What programs call their transports. */
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

/** One entry of a program's file in our words. Approvals never come along; what is left out is noted by name. */
export function importEntry(host: Host, name: string, value: unknown): ImportedServer {
  if (!isRecord(value)) return refuse(name, "is no object of fields");
  if (isOwnEntry(value))
    return refuse(name, "is mcpvisor itself (`mcpvisor attach`), which would serve itself");
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
