import type { RawTool } from "../protocol/mcp.js";
import { headerValue } from "../protocol/requestHeaders.js";
import { isRecord } from "../protocol/serverInfo.js";

/** An argument that is repeated as a header: its way through the properties of the schema, and the header's name. */
export interface HeaderParam {
  readonly path: readonly string[];
  readonly header: string;
}

type Read = { readonly params: readonly HeaderParam[] } | { readonly problem: string };

const key = "x-mcp-header";
// RFC 9110 5.6.2.
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const primitive = new Set(["string", "integer", "boolean"]);
const known = new WeakMap<RawTool, readonly HeaderParam[]>();

/**
 * Which arguments a tool wants as headers, or why its marks are invalid (MCP 2026-07-28, Tools / `x-mcp-header`): a
 * token, unique whatever its case, on text, whole numbers and truth values only, reachable through `properties` alone.
 */
export function readHeaderParams(inputSchema: unknown): Read {
  const params: HeaderParam[] = [];
  const problem = visit(inputSchema, [], true, params) ?? repeated(params);
  return problem === undefined ? { params } : { problem };
}

/** Splits off the tools whose header marks are invalid; each gets one warning with its reason. */
export function withValidHeaders(tools: readonly RawTool[]): {
  readonly tools: readonly RawTool[];
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const valid = tools.filter((tool) => {
    const read = readHeaderParams(tool.inputSchema);
    if ("problem" in read) warnings.push(`tool ${JSON.stringify(tool.name)} is withheld: ${read.problem}`);
    return !("problem" in read);
  });
  return { tools: valid, warnings };
}

/** The `Mcp-Param-*` headers of one call; arguments that are absent, null or of another type give none. */
export function paramHeaders(tool: RawTool, argumentsJson: string): Readonly<Record<string, string>> {
  const params = paramsOf(tool);
  if (params.length === 0) return {};
  const args: unknown = JSON.parse(argumentsJson);
  const headers: Record<string, string> = {};
  for (const { path, header } of params) {
    const value = valueAt(args, path);
    if (typeof value === "string") headers[`mcp-param-${header.toLowerCase()}`] = headerValue(value);
    else if (typeof value === "boolean" || Number.isSafeInteger(value))
      headers[`mcp-param-${header.toLowerCase()}`] = String(value);
  }
  return headers;
}

/** Whether two definitions of a tool say the same but for the header marks: what was allowed for one holds for the other. */
export function isSameButForMarks(a: RawTool, b: RawTool): boolean {
  return withoutMarks(a) === withoutMarks(b);
}

function withoutMarks(tool: RawTool): string {
  return JSON.stringify(tool, (name, value: unknown) => (name === key ? undefined : value));
}

function paramsOf(tool: RawTool): readonly HeaderParam[] {
  const found = known.get(tool);
  if (found !== undefined) return found;
  const read = readHeaderParams(tool.inputSchema);
  const params = "params" in read ? read.params : [];
  known.set(tool, params);
  return params;
}

/** Walks a schema; `reachable` says that only `properties` led here. Returns the first problem. */
function visit(
  schema: unknown,
  path: readonly string[],
  reachable: boolean,
  params: HeaderParam[],
): string | undefined {
  if (Array.isArray(schema)) return firstProblem(schema, (each) => visit(each, path, false, params));
  if (!isRecord(schema)) return undefined;
  if (Object.hasOwn(schema, key)) {
    const problem = judge(schema, path, reachable);
    if (problem !== undefined) return problem;
    params.push({ path, header: String(schema[key]) });
  }
  return firstProblem(Object.entries(schema), ([name, value]) => {
    // These hold data, not schemas.
    if (name === "default" || name === "const" || name === "enum" || name === "examples") return undefined;
    if (name !== "properties" || !isRecord(value)) return visit(value, path, false, params);
    return firstProblem(Object.entries(value), ([property, each]) =>
      visit(each, [...path, property], reachable, params),
    );
  });
}

function judge(
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[],
  reachable: boolean,
): string | undefined {
  const where = path.length === 0 ? "the root of its schema" : `argument ${JSON.stringify(path.join("."))}`;
  const header = schema[key];
  if (typeof header !== "string" || !token.test(header)) return `${key} on ${where} is no header name`;
  if (!reachable || path.length === 0) return `${key} on ${where} cannot be reached through properties alone`;
  if (typeof schema["type"] !== "string" || !primitive.has(schema["type"]))
    return `${key} on ${where} needs the type string, integer or boolean`;
  return undefined;
}

function repeated(params: readonly HeaderParam[]): string | undefined {
  const seen = new Set<string>();
  for (const { header } of params) {
    if (seen.has(header.toLowerCase())) return `${key} ${JSON.stringify(header)} is there twice`;
    seen.add(header.toLowerCase());
  }
  return undefined;
}

function firstProblem<T>(items: readonly T[], judgeOne: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = judgeOne(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}
