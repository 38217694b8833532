import { describe, expect, it } from "vitest";
import { modernAnswer, scriptHttp } from "../eras/httpServer.js";
import { running } from "../support.js";

describe("structured results of 2026-07-28 (row 37)", () => {
  it.each([null, 0, false, "", [], { a: 1 }])("may be any JSON: %j", async (structuredContent) => {
    const server = await scriptHttp((one) =>
      one.method === "tools/call"
        ? { result: { resultType: "complete", content: [], structuredContent } }
        : modernAnswer(one, [{ name: "t", inputSchema: { type: "object" }, outputSchema: {} }]),
    );
    const supervisor = await running([{ id: "web", transport: "http", url: server.url }]);

    const result = await supervisor.callTool("mcp_web_t", {});
    expect(result).toMatchObject({ ok: true, structured: structuredContent, warnings: [] });
  });

  it("are never checked with what an address in the schema holds", async () => {
    let visits = 0;
    const canary = await scriptHttp(
      () => undefined,
      (response) => {
        visits++;
        response.end("{}");
      },
    );
    const schema = { type: "object", properties: { n: { $ref: `${canary.url}/schema.json` } } };
    const server = await scriptHttp((one) =>
      one.method === "tools/call"
        ? { result: { content: [], structuredContent: { n: 1 } } }
        : modernAnswer(one, [{ name: "t", inputSchema: schema, outputSchema: schema }]),
    );
    const supervisor = await running([{ id: "web", transport: "http", url: server.url }]);

    const result = await supervisor.callTool("mcp_web_t", { n: 1 });

    expect(result.ok).toBe(true);
    expect(result.warnings.join()).toContain("$ref");
    expect(visits).toBe(0);
  });

  it("are not checked when the tool failed", async () => {
    const server = await scriptHttp((one) =>
      one.method === "tools/call"
        ? { result: { content: [{ type: "text", text: "no" }], structuredContent: 7, isError: true } }
        : modernAnswer(one, [
            { name: "t", inputSchema: { type: "object" }, outputSchema: { type: "object" } },
          ]),
    );
    const supervisor = await running([{ id: "web", transport: "http", url: server.url }]);

    expect(await supervisor.callTool("mcp_web_t", {})).toMatchObject({
      ok: false,
      failure: { kind: "tool-error" },
      warnings: [],
    });
  });
});
