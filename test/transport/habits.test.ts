import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createSupervisor, type ServerConfig, type Supervisor } from "../../src/index.js";
import { temporaryFolder } from "../support.js";

/** Habits of the world between a host and a remote server, through the public API. */

type Answer = (request: { method: string; id?: number; params?: Record<string, unknown> }) => unknown;

const tools = [{ name: "echo", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }];

const plain: Answer = ({ method, params }) => {
  if (method === "initialize")
    return {
      protocolVersion: params?.["protocolVersion"],
      capabilities: { tools: {} },
      serverInfo: { name: "f", version: "1" },
    };
  if (method === "tools/list") return { tools };
  return { content: [{ type: "text", text: "hello" }] };
};

interface Turn {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly message: { method: string; id?: number; params?: Record<string, unknown> };
  /** Answers as a plain server does. */
  readonly answer: (headers?: http.OutgoingHttpHeaders) => void;
}

/** An MCP server over HTTP whose every turn is decided by the test. */
async function serve(
  turn: (turn: Turn) => void,
  make: (listener: http.RequestListener) => http.Server | https.Server = (listener) =>
    http.createServer(listener),
): Promise<{ url: string; port: number; seen: { method: string; headers: http.IncomingHttpHeaders }[] }> {
  const seen: { method: string; headers: http.IncomingHttpHeaders }[] = [];
  const server = make((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      const message = JSON.parse(body) as Turn["message"];
      seen.push({ method: message.method, headers: request.headers });
      const answer = (headers: http.OutgoingHttpHeaders = {}): void => {
        if (message.id === undefined) return void response.writeHead(202, headers).end();
        const reply =
          message.method === "server/discover"
            ? { error: { code: -32601, message: "no such method" } }
            : { result: plain(message) };
        response
          .writeHead(200, { "content-type": "application/json", ...headers })
          .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...reply }));
      };
      turn({ request, response, message, answer });
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const scheme = server instanceof https.Server ? "https" : "http";
  return { url: `${scheme}://127.0.0.1:${port}/mcp`, port, seen };
}

async function host(server: Partial<ServerConfig>, started = true): Promise<Supervisor> {
  const supervisor = createSupervisor({
    home: temporaryFolder(),
    mode: "allow-all",
    servers: [{ id: "x", auto_approve: ["*"], ...server }],
  });
  onTestFinished(() => void supervisor.stop());
  if (started) {
    await supervisor.start();
    await supervisor.ready({ timeout: "20s" });
  }
  return supervisor;
}

describe("requests to remote servers", () => {
  it("name us, unless the entry has a User-Agent of its own", async () => {
    const { url, seen } = await serve(({ answer }) => answer());
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
      version: string;
    };

    expect((await (await host({ url })).callTool("mcp_x_echo")).ok).toBe(true);
    expect(new Set(seen.map(({ headers }) => headers["user-agent"]))).toEqual(
      new Set([`mcpvisor/${version}`]),
    );

    seen.length = 0;
    await host({ url, headers: { "User-Agent": "mine/1" } });
    expect(new Set(seen.map(({ headers }) => headers["user-agent"]))).toEqual(new Set(["mine/1"]));
  });

  it("keep a session with the replica that a balancer's cookie names, and hide the cookie", async () => {
    const replicas = [new Set<string>(), new Set<string>()];
    let next = 0;
    const { url, seen } = await serve(({ request, response, message, answer }) => {
      const stuck = /AWSALB=(\d)-secret/.exec(request.headers.cookie ?? "")?.[1];
      const at = stuck === undefined ? (next = 1 - next) : Number(stuck);
      const headers = { "set-cookie": [`AWSALB=${at}-secret; Path=/`, "other=1; Path=/elsewhere"] };
      if (message.method === "initialize") {
        const id = `s${replicas[0]!.size + replicas[1]!.size}`;
        replicas[at]!.add(id);
        return answer({ ...headers, "mcp-session-id": id });
      }
      const session = request.headers["mcp-session-id"];
      if (message.method !== "server/discover" && !replicas[at]!.has(String(session)))
        return void response.writeHead(404, headers).end("no session, AWSALB=1-secret");
      answer(headers);
    });

    const supervisor = await host({ url });
    for (let call = 0; call < 10; call++)
      expect(await supervisor.callTool("mcp_x_echo")).toMatchObject({ ok: true });

    expect(seen.filter(({ method }) => method === "initialize")).toHaveLength(1);
    expect(seen.at(-1)?.headers.cookie).toMatch(/^AWSALB=\d-secret$/);
    expect(JSON.stringify([supervisor.servers(), supervisor.replay(0)])).not.toContain("-secret");
  });

  it.each([
    [404, "Session not found"],
    [410, ""],
    [400, "Bad Request: No valid session ID provided"],
    [400, JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "Session expired" } })],
    [503, "unknown session"],
    [500, JSON.stringify({ error: "session 12 does not exist" })],
  ])(
    "that are refused with %i %j for want of a session go out once more in a new one",
    async (status, text) => {
      let lost = false;
      let sessions = 0;
      const { url, seen } = await serve(({ request, response, message, answer }) => {
        if (message.method === "initialize") return answer({ "mcp-session-id": `s${++sessions}` });
        if (lost && request.headers["mcp-session-id"] === "s1")
          return void response.writeHead(status, { "content-type": "application/json" }).end(text);
        answer();
      });
      const supervisor = await host({ url });
      lost = true;

      const results = await Promise.all([1, 2, 3, 4].map(() => supervisor.callTool("mcp_x_echo")));

      expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true]);
      expect(sessions).toBe(2);
      expect(seen.filter(({ method }) => method === "initialize")).toHaveLength(2);
      expect(supervisor.server("x")!.status()).toMatchObject({ state: "ready", generation: 1 });
    },
  );

  it("that meet a page tell its title, the status and the address, no markup", async () => {
    const { url } = await serve(({ message, response, answer }) => {
      if (message.method !== "tools/call") return answer();
      response
        .writeHead(502, { "content-type": "text/html" })
        .end("<html><head><title>502 Bad&nbsp;Gateway</title></head><body><center>x</center></body></html>");
    });

    const { failure } = (await (await host({ url })).callTool("mcp_x_echo")) as {
      failure: { message: string };
    };

    expect(failure).toMatchObject({ code: 502 });
    expect(failure.message).toContain(`answered HTTP 502 (text/html) at ${url}: 502 Bad Gateway`);
    expect(failure.message).not.toMatch(/[<>]/);
  });

  it("fall back to initialize when the probe of the newest revision fails with 5xx", async () => {
    const { url } = await serve(({ message, response, answer }) => {
      if (message.method === "server/discover") return void response.writeHead(500).end("oops");
      answer();
    });

    expect((await host({ url })).server("x")!.status()).toMatchObject({ state: "ready" });
  });

  it.each(["json", "stream"])("that get an answer with NaN in it end at once (%s)", async (kind) => {
    const { url } = await serve(({ message, response, answer }) => {
      if (message.method !== "tools/call") return answer();
      const text = `{"jsonrpc":"2.0","id":${message.id},"result":{"content":[],"structuredContent":{"mean":NaN}}}`;
      if (kind === "json") response.writeHead(200, { "content-type": "application/json" }).end(text);
      else response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${text}\n\n`);
    });
    const supervisor = await host({ url });

    const { failure } = (await supervisor.callTool("mcp_x_echo")) as {
      failure: { kind: string; message: string };
    };

    expect(failure.kind).toBe("invalid-result");
    expect(failure.message).toMatch(/no JSON: NaN at character \d+/);
    expect(supervisor.server("x")!.status().state).toBe("ready");
  });
});

describe("a line of stdout that is plainly an answer and no JSON", () => {
  it.each([
    ["NaN", '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"mean":NaN}}}', "NaN"],
    ["single quotes", "{'jsonrpc': '2.0', 'id': ID, 'result': {'content': []}}", "a text in single quotes"],
    [
      "something behind it",
      '{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}done',
      "something stands behind",
    ],
    [
      "a log in front",
      'INFO {"jsonrpc":"2.0","id":ID,"result":{"content":[]}}',
      "something stands before it",
    ],
  ])("ends its call at once: %s", async (_, line, reason) => {
    const script = join(temporaryFolder(), "server.mjs");
    writeFileSync(
      script,
      `import { createInterface } from "node:readline";
      const results = {
        initialize: (m) => ({ protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "f", version: "1" } }),
        "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
      };
      createInterface({ input: process.stdin }).on("line", (text) => {
        const m = JSON.parse(text);
        if (m.id === undefined) return;
        if (m.method === "tools/call" && !m.params.arguments.good)
          return console.log(${JSON.stringify(line)}.replace("ID", JSON.stringify(m.id)));
        const result = results[m.method]?.(m) ?? { content: [{ type: "text", text: "fine" }] };
        console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }));
      });`,
    );
    const supervisor = await host({ command: process.execPath, args: [script] });

    const { failure } = (await supervisor.callTool("mcp_x_echo")) as {
      failure: { kind: string; message: string };
    };

    expect(failure.kind).toBe("invalid-result");
    expect(failure.message).toContain(reason);
    expect(await supervisor.callTool("mcp_x_echo", { good: true })).toMatchObject({ ok: true, text: "fine" });
    expect(supervisor.server("x")!.status()).toMatchObject({ state: "ready", generation: 1 });
  });
});

describe("https and proxies", () => {
  let folder: string;
  beforeAll(() => {
    // Not a test's own folder: all tests of this group share it.
    folder = mkdtempSync(join(tmpdir(), "mcpvisor-test-tls-"));
    const ssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
    ssl(
      ..."req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 5 -subj /CN=Private".split(" "),
    );
    for (const name of ["server", "client"]) {
      ssl(...`req -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`.split(" "));
      execFileSync(
        "sh",
        [
          "-c",
          `printf 'subjectAltName=IP:127.0.0.1,DNS:mcp.example.test' > ${name}.ext && openssl x509 -req -in ${name}.csr ` +
            `-CA ca.pem -CAkey ca.key -CAcreateserial -out ${name}.pem -days 2 -extfile ${name}.ext`,
        ],
        { cwd: folder, stdio: "ignore" },
      );
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const secure = (more: https.ServerOptions = {}) =>
    serve(
      ({ answer }) => answer(),
      (listener) =>
        https.createServer({ key: read("server.key"), cert: read("server.pem"), ...more }, listener),
    );

  it("an authority that nobody knows is told with both ways out", async () => {
    const { url } = await secure();

    const { lastError } = (await host({ url })).server("x")!.status();

    expect(lastError?.kind).toBe("tls");
    expect(lastError?.message).toContain("tls.ca of the entry");
    expect(lastError?.message).toContain("NODE_EXTRA_CA_CERTS");
  });

  it("tls.ca trusts a private authority; tls.cert and tls.key are our own certificate", async () => {
    const { url } = await secure({ requestCert: true, rejectUnauthorized: true, ca: read("ca.pem") });
    const tls = {
      ca: join(folder, "ca.pem"),
      cert: join(folder, "client.pem"),
      key: join(folder, "client.key"),
    };

    expect((await host({ url, tls })).server("x")!.status().state).toBe("ready");
  });

  it.each(["ca", "cert", "key"] as const)("a file of tls.%s that is not there is named", async (word) => {
    const { url } = await secure();
    const file = join(folder, "none.pem");
    const tls = { cert: join(folder, "client.pem"), key: join(folder, "client.key"), [word]: file };

    const { lastError } = (await host({ url, tls })).server("x")!.status();

    expect(lastError?.message).toContain(`the file of tls.${word}, ${file}, cannot be read (ENOENT)`);
  });

  it("a proxy of the entry is used, with its password and without ever showing it", async () => {
    const { port } = await secure();
    const asked: string[] = [];
    const proxy = http.createServer();
    proxy.on("connect", (request, socket: net.Socket) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"] ?? "nobody"}`);
      const up = net.connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        up.pipe(socket).pipe(up);
      });
      up.on("error", () => socket.destroy());
      socket.on("error", () => up.destroy());
      onTestFinished(() => void socket.destroy());
    });
    proxy.listen(0, "127.0.0.1");
    await new Promise((resolve) => proxy.once("listening", resolve));
    onTestFinished(() => void proxy.close());
    const at = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;

    const supervisor = await host({
      url: "https://mcp.example.test/mcp",
      proxy: `http://user:pass-word-9@${at}`,
      tls: { ca: join(folder, "ca.pem") },
    });

    expect(supervisor.server("x")!.status()).toMatchObject({ state: "ready" });
    const basic = `Basic ${Buffer.from("user:pass-word-9").toString("base64")}`;
    expect(new Set(asked)).toEqual(new Set([`mcp.example.test:443 ${basic}`]));
    expect(JSON.stringify([supervisor.servers(), supervisor.replay(0)])).not.toContain("pass-word-9");
  });

  it("a proxy that refuses is told as the one who did", async () => {
    const proxy = http.createServer();
    proxy.on(
      "connect",
      (_request, socket: net.Socket) => void socket.end("HTTP/1.1 407 Wants a name\r\n\r\n"),
    );
    proxy.listen(0, "127.0.0.1");
    await new Promise((resolve) => proxy.once("listening", resolve));
    onTestFinished(() => void proxy.close());
    const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

    const supervisor = await host({ url: "https://mcp.example.test/mcp", proxy: at }, false);
    await supervisor.start();
    await expect
      .poll(() => supervisor.server("x")!.status().lastError?.message, { timeout: 20_000 })
      .toMatch(/the proxy refused, it wants another user name or password; through the proxy of proxy/);
  });
});
