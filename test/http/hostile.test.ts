import { existsSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve, ServiceRunningError } from "../../src/http/index.js";
import { ConfigError } from "../../src/index.js";
import { fakeSupervisor } from "./fakeSupervisor.js";
import { hostileRequests, type HostileRequest } from "./hostileRequests.js";
import { raw, rig, tempFolder } from "./rig.js";

describe("hostile requests", () => {
  it("are at least forty", () => {
    expect(hostileRequests.length).toBeGreaterThanOrEqual(40);
  });

  it.each(hostileRequests)("refuses $what", async (request) => {
    const { fake, port, token } = await rig();

    const answer = await raw(port, wire(request, port, token));

    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
    expect([request.expect].flat()).toContain(status);
    expect(answer.toLowerCase()).not.toContain("access-control-allow");
    expect([fake.saved, fake.calls, fake.actions]).toEqual([[], [], []]);
    expect(answer).not.toContain(token);
  });

  it("judges Host before the body is read", async () => {
    const { port } = await rig();

    const answer = await raw(
      port,
      "POST /api/mcp/servers HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n",
    );

    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("does not invite a body it will refuse", async () => {
    const { port } = await rig();

    const answer = await raw(
      port,
      "POST /api/mcp/servers HTTP/1.1\r\nHost: evil.example\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
    );

    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("takes nothing after a refused request for a second request", async () => {
    const { port, token, fake } = await rig();
    const inner = `POST /api/mcp/servers HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;

    const answer = await raw(
      port,
      `POST /api/mcp/servers HTTP/1.1\r\nHost: evil.example\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    );

    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 403"]);
    expect(fake.saved).toEqual([]);
  });

  it("sends security headers with every answer", async () => {
    const { service, ask } = await rig();
    const answers = [
      await ask("GET", "/api/mcp/servers"),
      await fetch(`${service.url}/api/mcp/servers`),
      await fetch(`${service.url}/nothing`),
      await fetch(`${service.url}/healthz`),
    ];

    for (const { headers } of answers) {
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(headers.get("content-security-policy")).not.toContain("unsafe-inline");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });
});

describe("slow clients", () => {
  it("closes a connection whose headers never end", async () => {
    const { port } = await rig({ listener: { headersMs: 300, requestMs: 1000 } });

    const answer = await raw(port, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ");

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("closes a connection whose body never comes", async () => {
    const { port, token } = await rig({ listener: { headersMs: 300, requestMs: 600 } });
    const head = `POST /api/mcp/servers HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;

    const answer = await raw(port, `${head}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`);

    expect(answer).toMatch(/^(HTTP\/1\.1 (408|400) |$)/);
  });

  it("serves good requests while 1,000 connections say nothing", async () => {
    const { fake, ask, port } = await rig();
    fake.set({ id: "files" });
    const slow = Array.from({ length: 1000 }, () => {
      const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nX-A: "));
      return socket.on("error", () => undefined);
    });
    onTestFinished(() => {
      for (const socket of slow) socket.destroy();
    });
    await Promise.all(slow.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));

    const times: number[] = [];
    for (let at = 0; at < 200; at++) {
      const begun = performance.now();
      expect((await ask("GET", "/api/mcp/servers")).status).toBe(200);
      times.push(performance.now() - begun);
    }

    const p99 = times.toSorted((a, b) => a - b)[197] ?? Number.NaN;
    if (process.env["MCPVISOR_SHOW"] !== undefined) process.stderr.write(`p99 ${p99.toFixed(1)} ms\n`);
    expect(p99).toBeLessThan(500);
  });
});

describe("where it listens", () => {
  it("refuses another than a loopback address without an explicit flag, before it makes a token", async () => {
    const home = await tempFolder();

    await expect(serve(fakeSupervisor(), { home, host: "0.0.0.0" })).rejects.toThrow(ConfigError);
    expect(existsSync(`${home}/service.token`)).toBe(false);
  });

  it("lets one service run per state folder, and says where the first one is", async () => {
    const { home, service } = await rig();

    const second = serve(fakeSupervisor(), { home });

    await expect(second).rejects.toThrow(ServiceRunningError);
    await expect(second).rejects.toThrow(service.url);
  });
});

function wire(request: HostileRequest, port: number, token: string): Buffer {
  const { method = "POST", path = "/api/mcp/servers", lines = [], chunked, repeat } = request;
  const body = request.body ?? repeat?.text.repeat(repeat.times) ?? '{"id":"evil","command":"touch"}';
  const headers: Record<string, string | null> = {
    Host: "127.0.0.1:PORT",
    "Content-Type": "application/json",
    ...request.headers,
  };
  const ownLength = lines.some((line) => line.startsWith("Content-Length"));
  if (method !== "GET" && !ownLength && chunked !== true) headers["Content-Length"] = String(body.length);
  if (chunked === true) headers["Transfer-Encoding"] = "chunked";
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])),
    ...lines,
    "Connection: close",
  ].join("\r\n");
  const filled = head.replaceAll("PORT", String(port)).replaceAll("TOKEN", token);
  const sent =
    method === "GET" ? "" : chunked === true ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return Buffer.from(`${filled}\r\n\r\n${sent}`, "latin1");
}
