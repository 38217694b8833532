import { describe, expect, it } from "vitest";
import { answer, modern, post, rig } from "./rig.js";

const files = { id: "files", tools: ["read", "write"] };
const web = { id: "web", tools: ["fetch"] };

describe("the gateway over HTTP", () => {
  it("lists and calls the tools of a scoped fleet for the official client", async () => {
    const { rig: gate } = await rig([files, web]);
    const client = await gate.client(gate.consumer("claude", { servers: ["files"] }));

    expect((await client.listTools()).tools.map((each) => each.name)).toEqual([
      "files__read",
      "files__write",
    ]);
    const result = await client.callTool({ name: "files__read", arguments: { path: "a" } });

    expect(result.isError ?? false).toBe(false);
    expect(JSON.stringify(result.content)).toContain("path");
    expect(
      await client.callTool({ name: "web__fetch", arguments: {} }).catch((error: Error) => error.message),
    ).toContain("Unknown tool: web__fetch");
  });

  it("serves 2026-07-28 on the same path", async () => {
    const { rig: gate } = await rig([files]);
    const token = gate.consumer("claude");
    const url = `${gate.url}/mcp`;

    const found = await answer(await modern(url, token, "d", "server/discover"));
    expect(found).toMatchObject({
      id: "d",
      result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
    });
    const listed = await answer(await modern(url, token, 1, "tools/list"));
    expect(listed["result"]).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
    const called = await answer(
      await modern(url, token, 2, "tools/call", { name: "files__read", arguments: { a: 1 } }),
    );
    expect(called["result"]).toMatchObject({ resultType: "complete" });
  });

  it("serves one server under untouched names", async () => {
    const { rig: gate } = await rig([files, web]);
    const client = await gate.client(gate.consumer("claude"), "/mcp/s/web");

    expect((await client.listTools()).tools.map((each) => each.name)).toEqual(["fetch"]);
  });

  it("refuses who has no token, before the body", async () => {
    const { rig: gate } = await rig([files]);

    for (const token of [undefined, "mcpv_wrong"]) {
      const response = await post(`${gate.url}/mcp`, token, "this is no JSON");
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
    }
  });
});
