import { isCredentialName } from "../../policy/credentials.js";
import { argumentSecrets, pathSecrets } from "./argumentSecrets.js";
import type { FieldContext, Fields } from "./fields.js";
import { choice, group, noteUnknown, tell, text, textMap, texts } from "./fields.js";
import { joinPath } from "./paths.js";
import type { HttpTarget, StdioTarget } from "../../spec.js";

/** Reads how a server is reached: a command (stdio) or an address (http, sse), never both. Undefined when wrong. */
export function readTarget(
  context: FieldContext,
  fields: Fields,
  folder: string | undefined,
): StdioTarget | HttpTarget | undefined {
  const transport = choice(context, fields, "transport", ["stdio", "http", "sse"]);
  const hasCommand = fields["command"] !== undefined;
  const hasUrl = fields["url"] !== undefined;
  if (hasCommand && hasUrl) return tell(context, "url", "stands beside command: a server has one of them");
  if (transport === "stdio" && hasUrl) return tell(context, "url", "does not fit the transport stdio");
  if ((transport === "http" || transport === "sse") && hasCommand) {
    return tell(context, "command", `does not fit the transport ${transport}`);
  }
  if (hasUrl) return readHttp(context, fields, transport === "sse" ? "sse" : "http", folder);
  if (transport === "http" || transport === "sse") return tell(context, "url", "is missing");
  if (!hasCommand) return tell(context, "command", "is missing: a server needs a command or a url");
  return readStdio(context, fields, folder);
}

/** Values of an entry that must never be shown: all of env and headers, and what looks like a credential elsewhere. */
export function secretsOf(target: StdioTarget | HttpTarget): string[] {
  if (target.kind === "stdio") return [...Object.values(target.env), ...argumentSecrets(target.args)];
  const query = URL.canParse(target.url) ? [...new URL(target.url).searchParams] : [];
  return [
    ...Object.values(target.headers),
    ...(typeof target.oauth === "object" ? [target.oauth.clientSecret ?? ""] : []),
    ...pathSecrets(target.url),
    ...query.filter(([name]) => isCredentialName(name)).map(([, value]) => value),
    ...(typeof target.proxy === "string" && URL.canParse(target.proxy)
      ? [target.proxy, new URL(target.proxy).password]
      : []),
  ];
}

function readStdio(
  context: FieldContext,
  fields: Fields,
  folder: string | undefined,
): StdioTarget | undefined {
  const command = text(context, fields, "command");
  const args = texts(context, fields, "args") ?? [];
  const env = textMap(context, fields, "env") ?? {};
  const cwd = text(context, fields, "cwd");
  const inherit = choice(context, fields, "inherit", ["safe", "minimal", "all"]) ?? "safe";
  const pass = texts(context, fields, "pass") ?? [];
  for (const field of ["headers", "proxy", "tls"])
    if (fields[field] !== undefined) tell(context, field, "belongs to servers with a url");
  for (const [name, value] of Object.entries(env)) {
    if (!/^[^=\0]+$/.test(name)) tell(context, `env.${name}`, "is no possible name of a variable");
    if (value.includes("\0")) tell(context, `env.${name}`, "must not hold the character NUL");
  }
  if (command === undefined) return undefined;
  if (command.trim() === "") return tell(context, "command", "is empty");
  noteShellWords(context, command, args);
  const at = cwd === undefined || cwd === "" ? folder : joinPath(folder, cwd);
  return { kind: "stdio", command, args, env, inherit, pass, ...(at === undefined ? {} : { cwd: at }) };
}

/** A command is one program, not a line for a shell; the slip is common enough to be named. */
function noteShellWords(context: FieldContext, command: string, args: readonly string[]): void {
  if (args.length > 0 || !/^[^\s/\\]+\s+\S/.test(command)) return;
  tell(context, "command", "holds spaces and is taken as the name of one program", {
    severity: "warning",
    hint: "put the arguments into args",
  });
}

function readHttp(
  context: FieldContext,
  fields: Fields,
  kind: "http" | "sse",
  folder: string | undefined,
): HttpTarget | undefined {
  const url = text(context, fields, "url");
  const headers = textMap(context, fields, "headers") ?? {};
  for (const field of ["args", "env", "cwd", "inherit", "pass"]) {
    if (fields[field] !== undefined) tell(context, field, "belongs to servers with a command");
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      tell(context, `headers.${name}`, "is no possible name of a header");
    // RFC 9110 section 5.5: visible characters, spaces and tabs, and bytes above 0x7f.
    else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      tell(
        context,
        `headers.${name}`,
        "holds characters that no header may have (line breaks, for instance)",
      );
    }
  }
  const problem = url === undefined ? undefined : urlProblem(url);
  if (problem !== undefined) return tell(context, "url", problem.message, { hint: problem.hint });
  const proxy = readProxy(context, fields);
  const tls = readTls(context, fields, folder);
  if (url === undefined) return undefined;
  return {
    kind,
    url: new URL(url).href,
    headers,
    ...(proxy === undefined ? {} : { proxy }),
    ...(tls === undefined ? {} : { tls }),
  };
}

/** `proxy` of an entry or of the settings: an address with its scheme, or false for none. */
export function readProxy(context: FieldContext, fields: Fields): string | false | undefined {
  if (fields["proxy"] === false) return false;
  const proxy = text(context, fields, "proxy");
  if (proxy === undefined) return undefined;
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  if (URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol)) return url;
  const hint = "write it like http://proxy.example:3128, or false for none";
  return tell(context, "proxy", "must be the address of an http or https proxy", { hint });
}

function readTls(context: FieldContext, fields: Fields, folder: string | undefined): HttpTarget["tls"] {
  const given = group(context, fields, "tls");
  if (given === undefined) return undefined;
  const inner = { ...context, path: [context.path, "tls"].filter((each) => each !== "").join(".") };
  noteUnknown(inner, given, ["ca", "cert", "key"]);
  const paths = (["ca", "cert", "key"] as const).flatMap((word) => {
    const path = text(inner, given, word);
    return path === undefined ? [] : [[word, joinPath(folder, path)] as const];
  });
  const tls: HttpTarget["tls"] = Object.fromEntries(paths);
  if ((tls?.cert === undefined) !== (tls?.key === undefined))
    return tell(inner, tls?.cert === undefined ? "cert" : "key", "is missing: cert and key belong together");
  return tls;
}

/** Why an address is not acceptable: https anywhere, http only to this machine, no user info. Never quotes it. */
function urlProblem(url: string): { message: string; hint?: string } | undefined {
  if (!URL.canParse(url)) return { message: "is not a URL", hint: "write it like https://example.com/mcp" };
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") {
    return { message: "must not hold a user name or password", hint: "use the header Authorization" };
  }
  if (protocol === "https:") return undefined;
  if (protocol !== "http:") return { message: `must begin with https:, not ${protocol}` };
  if (["127.0.0.1", "localhost", "[::1]"].includes(hostname)) return undefined;
  return {
    message: "must use https: plain http is for 127.0.0.1, localhost and ::1 only",
    hint: "write https:// instead of http://",
  };
}
