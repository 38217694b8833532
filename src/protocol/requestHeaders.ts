/** Which member of the params names what a request is about, by method (MCP 2026-07-28, Transports / `Mcp-Name`). */
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** The headers that repeat what is in a request's params, or undefined when its method has none. */
export function nameHeader(
  method: string,
  params: object | undefined,
): Readonly<Record<string, string>> | undefined {
  const member = namedBy[method];
  const value: unknown =
    member === undefined || params === undefined ? undefined : Reflect.get(params, member);
  return typeof value === "string" ? { "mcp-name": headerValue(value) } : undefined;
}

/**
 * A text as a header value: as it is when it is plain printable ASCII, else as base64 of its UTF-8 between the markers
 * (MCP 2026-07-28, Transports / value encoding). Empty text, outer blanks and text that looks like a marker are encoded too.
 */
export function headerValue(text: string): string {
  const plain =
    /^[\x20-\x7e]+$/.test(text) &&
    text.trim() === text &&
    !(text.startsWith("=?base64?") && text.endsWith("?="));
  return plain ? text : `=?base64?${base64(text)}?=`;
}

function base64(text: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}
