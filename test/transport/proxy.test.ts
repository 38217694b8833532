import { describe, expect, it } from "vitest";
import { proxyFor } from "../../src/transport/http/connect/proxy.js";

const at = "http://proxy.corp.example:3128";
const both = { HTTPS_PROXY: at, HTTP_PROXY: "http://plain.example:1" };

describe("the proxy of an address", () => {
  it.each([
    ["https://mcp.example/mcp", both, at, "HTTPS_PROXY"],
    ["https://mcp.example/mcp", { https_proxy: at, HTTPS_PROXY: "http://other.example" }, at, "https_proxy"],
    ["https://mcp.example/mcp", { HTTPS_PROXY: "proxy.corp.example:3128" }, at, "HTTPS_PROXY"],
    ["https://mcp.example/mcp", { ALL_PROXY: at }, at, "ALL_PROXY"],
    ["http://mcp.example/mcp", both, "http://plain.example:1", "HTTP_PROXY"],
  ])("%s with %j is %s by %s", (url, env, proxy, from) => {
    expect(proxyFor(new URL(url), { env })).toEqual({ url: proxy, from });
  });

  it.each([
    ["https://mcp.example/mcp", {}],
    ["https://mcp.example/mcp", { HTTPS_PROXY: "" }],
    ["https://mcp.example/mcp", { HTTP_PROXY: at }],
    ["http://mcp.example/mcp", { HTTP_PROXY: at, REQUEST_METHOD: "GET" }],
    ["http://127.0.0.1:8080/mcp", both],
    ["http://127.8.9.10/mcp", both],
    ["http://localhost:1/mcp", both],
    ["http://api.localhost/mcp", both],
    ["http://[::1]:1/mcp", both],
    ["https://mcp.example/mcp", { ...both, NO_PROXY: "*" }],
    ["https://mcp.example/mcp", { ...both, NO_PROXY: "other.example, mcp.example" }],
    ["https://a.mcp.example/mcp", { ...both, no_proxy: ".mcp.example" }],
    ["https://a.mcp.example/mcp", { ...both, no_proxy: "mcp.example" }],
    ["https://a.mcp.example/mcp", { ...both, no_proxy: "*.mcp.example" }],
    ["https://MCP.example/mcp", { ...both, no_proxy: "mcp.EXAMPLE:443" }],
    ["https://10.1.2.3/mcp", { ...both, no_proxy: "10.0.0.0/8" }],
    ["https://[fd00::1]/mcp", { ...both, no_proxy: "fd00::1" }],
  ])("%s with %j is none", (url, env) => {
    expect(proxyFor(new URL(url), { env })).toBeUndefined();
  });

  it.each([
    ["https://xmcp.example/mcp", "mcp.example"],
    ["https://mcp.example.org/mcp", "mcp.example"],
    ["https://mcp.example:8443/mcp", "mcp.example:443"],
    ["https://11.1.2.3/mcp", "10.0.0.0/8"],
    ["https://mcp.example/mcp", "10.0.0.0/8, ,"],
  ])("%s is not excepted by %j", (url, no_proxy) => {
    expect(proxyFor(new URL(url), { env: { ...both, no_proxy } })?.url).toBe(at);
  });

  it("of an entry wins over the environment, and false is none; this machine never has one", () => {
    const url = new URL("https://mcp.example/mcp");
    expect(proxyFor(url, { configured: "http://mine.example:1", env: { ...both, NO_PROXY: "*" } })).toEqual({
      url: "http://mine.example:1",
      from: "proxy",
    });
    expect(proxyFor(url, { configured: false, env: both })).toBeUndefined();
    expect(proxyFor(new URL("http://127.0.0.1/"), { configured: at, env: {} })).toBeUndefined();
  });
});
