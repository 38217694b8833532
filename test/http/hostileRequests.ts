/**
 * One hostile request and the status it must get. `PORT` and `TOKEN` are filled in. A request is a POST that would
 * add a server (that is: run a command) unless it says otherwise; `host`, `origin` … are headers, null leaves one out.
 */
export interface HostileRequest {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** More header lines, as they are (repeated or malformed ones). */
  readonly lines?: readonly string[];
  readonly body?: string;
  /** Body of so many bytes of this text, said in Content-Length but sent only in part when refused early. */
  readonly repeat?: { readonly text: string; readonly times: number };
  readonly chunked?: boolean;
  readonly expect: number | readonly number[];
}

const good = { Authorization: "Bearer TOKEN" };
const call = "/api/mcp/tools/mcp_files_read/call";

export const hostileRequests: readonly HostileRequest[] = [
  // Host: DNS rebinding
  { what: "a foreign host", headers: { ...good, Host: "evil.example" }, expect: 403 },
  { what: "a foreign host with our port", headers: { ...good, Host: "evil.example:PORT" }, expect: 403 },
  { what: "our address with another port", headers: { ...good, Host: "127.0.0.1:1" }, expect: 403 },
  { what: "our address without a port", headers: { ...good, Host: "127.0.0.1" }, expect: 403 },
  {
    what: "a name that begins like ours",
    headers: { ...good, Host: "localhost.evil.example:PORT" },
    expect: 403,
  },
  { what: "a name that ends like ours", headers: { ...good, Host: "evil-localhost:PORT" }, expect: 403 },
  { what: "another loopback address", headers: { ...good, Host: "127.0.0.2:PORT" }, expect: 403 },
  { what: "loopback written in decimal", headers: { ...good, Host: "2130706433:PORT" }, expect: 403 },
  { what: "loopback written short", headers: { ...good, Host: "127.1:PORT" }, expect: 403 },
  { what: "the unspecified address", headers: { ...good, Host: "0.0.0.0:PORT" }, expect: 403 },
  { what: "a trailing dot", headers: { ...good, Host: "localhost.:PORT" }, expect: 403 },
  { what: "user info in the host", headers: { ...good, Host: "evil@127.0.0.1:PORT" }, expect: 403 },
  { what: "two hosts in one line", headers: { ...good, Host: "127.0.0.1:PORT, evil.example" }, expect: 403 },
  { what: "an empty host", headers: { ...good, Host: "" }, expect: 403 },
  { what: "no host", headers: { ...good, Host: null }, expect: [400, 403] },
  { what: "a second host line", headers: good, lines: ["Host: evil.example"], expect: [400, 403] },
  {
    what: "a foreign host in the request line",
    path: "http://evil.example/api/mcp/servers",
    headers: good,
    expect: 403,
  },
  {
    what: "a foreign host on an unknown route",
    method: "GET",
    path: "/nothing",
    headers: { Host: "evil.example" },
    expect: 403,
  },
  {
    what: "a foreign host on an open route",
    method: "GET",
    path: "/healthz",
    headers: { Host: "evil.example" },
    expect: 403,
  },
  {
    what: "a foreign host that forwards ours",
    headers: { ...good, Host: "evil.example", "X-Forwarded-Host": "127.0.0.1:PORT" },
    expect: 403,
  },
  // Origin: web pages
  { what: "a foreign origin", headers: { ...good, Origin: "https://evil.example" }, expect: 403 },
  { what: "the null origin of a sandboxed frame", headers: { ...good, Origin: "null" }, expect: 403 },
  {
    what: "a page on another port of this machine",
    headers: { ...good, Origin: "http://127.0.0.1:1" },
    expect: 403,
  },
  { what: "our origin over https", headers: { ...good, Origin: "https://127.0.0.1:PORT" }, expect: 403 },
  {
    what: "an origin that begins like ours",
    headers: { ...good, Origin: "http://127.0.0.1:PORT.evil.example" },
    expect: 403,
  },
  { what: "an empty origin", headers: { ...good, Origin: "" }, expect: 403 },
  {
    what: "two origins",
    headers: { ...good, Origin: "http://127.0.0.1:PORT" },
    lines: ["Origin: https://evil.example"],
    expect: 403,
  },
  { what: "an extension", headers: { ...good, Origin: "chrome-extension://abcdef" }, expect: 403 },
  { what: "a file", headers: { ...good, Origin: "file://" }, expect: 403 },
  {
    what: "a read by a foreign page",
    method: "GET",
    path: "/api/mcp/servers",
    headers: { ...good, Origin: "https://evil.example" },
    expect: 403,
  },
  {
    what: "the feed by a foreign page",
    method: "GET",
    path: "/api/mcp/events",
    headers: { ...good, Origin: "https://evil.example" },
    expect: 403,
  },
  {
    what: "a picture of a foreign page (no Origin is sent)",
    method: "GET",
    path: "/api/mcp/servers",
    headers: { ...good, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" },
    expect: 403,
  },
  {
    what: "a page of another port of this machine, without Origin",
    method: "GET",
    path: "/api/mcp/servers",
    headers: { ...good, "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors" },
    expect: 403,
  },
  {
    what: "a form sent by navigation",
    headers: { ...good, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" },
    expect: 403,
  },
  {
    what: "a preflight",
    method: "OPTIONS",
    headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
    expect: 403,
  },
  {
    what: "a preflight without an origin",
    method: "OPTIONS",
    headers: { "Access-Control-Request-Method": "POST" },
    expect: 401,
  },
  // Token
  { what: "no token", expect: 401 },
  { what: "no token, read", method: "GET", path: "/api/mcp/servers", expect: 401 },
  { what: "no token, metrics", method: "GET", path: "/metrics", expect: 401 },
  { what: "no token, unknown route of the API", method: "GET", path: "/api/nothing", expect: 401 },
  { what: "a wrong token", headers: { Authorization: "Bearer x" }, expect: 401 },
  { what: "a token with one character more", headers: { Authorization: "Bearer TOKENx" }, expect: 401 },
  { what: "an empty token", headers: { Authorization: "Bearer " }, expect: 401 },
  { what: "the token as basic auth", headers: { Authorization: "Basic TOKEN" }, expect: 401 },
  { what: "the token without a scheme", headers: { Authorization: "TOKEN" }, expect: 401 },
  { what: "the token in the query", path: "/api/mcp/servers?token=TOKEN", expect: 401 },
  { what: "the token in a cookie", headers: { Cookie: "mcpvisor=TOKEN" }, expect: 401 },
  {
    what: "a cookie of our shape with a made-up signature",
    headers: { Cookie: "mcpvisor=99999999999999.AAAA" },
    expect: 401,
  },
  { what: "a cookie without a signature", headers: { Cookie: "mcpvisor=99999999999999." }, expect: 401 },
  { what: "a made-up login code", path: "/api/mcp/login", body: '{"code":"AAAA"}', expect: 401 },
  {
    what: "a login code that is not text",
    path: "/api/mcp/login",
    body: '{"code":{"length":43}}',
    expect: 400,
  },
  // Content type: what a web form can send without a preflight
  { what: "text/plain", headers: { ...good, "Content-Type": "text/plain" }, expect: 415 },
  { what: "a form", headers: { ...good, "Content-Type": "application/x-www-form-urlencoded" }, expect: 415 },
  {
    what: "a multipart form",
    headers: { ...good, "Content-Type": "multipart/form-data; boundary=x" },
    expect: 415,
  },
  { what: "no content type", headers: { ...good, "Content-Type": null }, expect: 415 },
  {
    what: "a type that begins like JSON",
    headers: { ...good, "Content-Type": "application/jsonx" },
    expect: 415,
  },
  {
    what: "JSON in a parameter of text/plain",
    headers: { ...good, "Content-Type": "text/plain; application/json" },
    expect: 415,
  },
  {
    what: "text/plain to log in",
    path: "/api/mcp/login",
    headers: { "Content-Type": "text/plain" },
    expect: 415,
  },
  {
    what: "a delete without a content type",
    method: "DELETE",
    path: "/api/mcp/servers/files",
    headers: { ...good, "Content-Type": null },
    expect: 415,
  },
  // Bodies
  {
    what: "50 MB that are announced",
    path: call,
    headers: good,
    repeat: { text: "[", times: 52_428_800 },
    expect: 413,
  },
  {
    what: "50 MB announced by somebody without a token",
    path: call,
    repeat: { text: "[", times: 52_428_800 },
    expect: 413,
  },
  {
    what: "6 MB in chunks",
    path: call,
    headers: good,
    repeat: { text: " ", times: 6_291_456 },
    chunked: true,
    expect: 413,
  },
  { what: "broken JSON", path: call, headers: good, body: "{", expect: 400 },
  { what: "100,000 brackets", path: call, headers: good, repeat: { text: "[", times: 100_000 }, expect: 400 },
  {
    what: "JSON 201 levels deep",
    path: call,
    headers: good,
    body: "[".repeat(201) + "]".repeat(201),
    expect: 400,
  },
  { what: "bytes that are not UTF-8", path: call, headers: good, body: '"\u00ff\u00fe"', expect: 400 },
  { what: "no body", path: call, headers: good, body: "", expect: 400 },
  { what: "a body that is not an object", path: call, headers: good, body: "[]", expect: 400 },
  { what: "unknown members", path: call, headers: good, body: '{"arguments":{},"shell":"rm"}', expect: 400 },
  {
    what: "an id that climbs out of a folder",
    headers: good,
    body: '{"id":"../../x","command":"sh"}',
    expect: 400,
  },
  {
    what: "an id that is a prototype",
    headers: good,
    body: '{"id":{"__proto__":{}},"command":"sh"}',
    expect: 400,
  },
  // Paths and lines
  { what: "a path out of the dashboard folder", method: "GET", path: "/../../../etc/passwd", expect: 404 },
  {
    what: "an encoded path out of it",
    method: "GET",
    path: "/assets/%2e%2e%2f%2e%2e%2fpackage.json",
    expect: 404,
  },
  { what: "a doubled slash", method: "GET", path: "//api/mcp/servers", expect: [401, 404] },
  { what: "an encoded slash before the API", method: "GET", path: "/%61pi/mcp/servers", expect: [401, 404] },
  { what: "another case", method: "GET", path: "/API/mcp/servers", expect: 404 },
  { what: "a method nobody has", method: "TRACE", path: "/api/mcp/servers", expect: [400, 401, 404, 405] },
  { what: "two lengths", headers: good, lines: ["Content-Length: 1", "Content-Length: 2"], expect: 400 },
  {
    what: "a length and chunks",
    headers: good,
    lines: ["Transfer-Encoding: chunked", "Content-Length: 4"],
    expect: 400,
  },
  {
    what: "a header line that is folded",
    headers: good,
    lines: ["X-A: b", " Host: evil.example"],
    expect: 400,
  },
  { what: "headers of 64 KiB", headers: { ...good, "X-Long": "a".repeat(65_536) }, expect: 431 },
];
