import type { IncomingHttpHeaders } from "node:http";
import { codes, failed, isRecord, meta, metaOf, modernRevision } from "../contract/protocol.js";
import type { Json, RpcError } from "../contract/protocol.js";

const named: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** Whether a request claims to be of 2026-07-28 or later, by its body or its header. */
export function isModern(headers: IncomingHttpHeaders, message: Json): boolean {
  if (message["method"] === "initialize" && !(meta.version in metaOf(message["params"]))) return false;
  if (meta.version in metaOf(message["params"])) return true;
  const version = one(headers["mcp-protocol-version"]);
  return version !== undefined && version >= modernRevision;
}

/**
 * Why the head of a modern request is refused (MCP 2026-07-28, Transports / request headers, `_meta`); undefined when
 * header and body say the same. `schema` is the input schema of the tool that is called.
 */
export function judgeModern(
  headers: IncomingHttpHeaders,
  message: Json,
  schemaOf: (tool: string) => Json | undefined,
): RpcError | undefined {
  const method = String(message["method"]);
  const params = message["params"];
  const given = metaOf(params);
  const version = given[meta.version];
  const header = one(headers["mcp-protocol-version"]);
  if (typeof version !== "string" || !isRecord(given[meta.capabilities])) {
    const missing = typeof version === "string" ? meta.capabilities : meta.version;
    return failed(codes.invalidParams, `params._meta lacks ${missing}`).error;
  }
  if (header !== version) return mismatch("MCP-Protocol-Version", header, version);
  if (version !== modernRevision)
    return failed(codes.unsupportedVersion, `Unsupported protocol version: ${version.slice(0, 40)}`, {
      supported: [modernRevision],
      requested: version,
    }).error;
  const told = one(headers["mcp-method"]);
  if (told !== method) return mismatch("Mcp-Method", told, method);
  const field = named[method];
  if (field === undefined || !isRecord(params)) return undefined;
  const name = params[field];
  const toldName = one(headers["mcp-name"]);
  if (typeof name !== "string") return undefined;
  if (toldName === undefined || decoded(toldName) !== name) return mismatch("Mcp-Name", toldName, name);
  return method === "tools/call" ? judgeMarks(headers, schemaOf(name), params["arguments"]) : undefined;
}

/** The arguments that a tool marks as headers must come as such, with the very same value. */
function judgeMarks(
  headers: IncomingHttpHeaders,
  schema: Json | undefined,
  args: unknown,
): RpcError | undefined {
  for (const { mark, path } of marksOf(schema)) {
    const value = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), args);
    const name = `mcp-param-${mark.toLowerCase()}`;
    const told = one(headers[name]);
    if (value === undefined || value === null) continue;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (told === undefined || decoded(told) !== text) return mismatch(`Mcp-Param-${mark}`, told, text);
  }
  return undefined;
}

const marks = new WeakMap<Json, readonly { readonly mark: string; readonly path: readonly string[] }[]>();

function marksOf(
  schema: Json | undefined,
): readonly { readonly mark: string; readonly path: readonly string[] }[] {
  if (schema === undefined) return [];
  const known = marks.get(schema);
  if (known !== undefined) return known;
  const found = walk(schema, []);
  marks.set(schema, found);
  return found;
}

function walk(schema: Json, path: readonly string[]): { mark: string; path: readonly string[] }[] {
  const { properties } = schema;
  if (!isRecord(properties) || path.length > 20) return [];
  return Object.entries(properties).flatMap(([key, each]) => {
    if (!isRecord(each)) return [];
    const mark = each["x-mcp-header"];
    const own = [...path, key];
    return [...(typeof mark === "string" ? [{ mark, path: own }] : []), ...walk(each, own)];
  });
}

/** The value of a header, out of its base64 form where it has that; undefined where that form is broken. */
export function decoded(value: string): string | undefined {
  const inner = /^=\?base64\?(.*)\?=$/s.exec(value)?.[1];
  if (inner === undefined) return value;
  const bytes = Buffer.from(inner, "base64");
  if (bytes.toString("base64") !== inner) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // No UTF-8 inside: a value that equals nothing.
    return undefined;
  }
}

function mismatch(header: string, told: string | undefined, body: string): RpcError {
  const said = told === undefined ? "is missing" : `is ${JSON.stringify(told.slice(0, 100))}`;
  return failed(
    codes.headerMismatch,
    `the header ${header} ${said}, the body says ${JSON.stringify(body.slice(0, 100))}`,
  ).error;
}

export function one(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text?.trim();
}
