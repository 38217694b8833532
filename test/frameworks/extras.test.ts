import type { Tool } from "ai";
import { describe, expect, it } from "vitest";
import { aiSdkTools } from "../../src/frameworks/ai-sdk/index.js";
import { anthropicTools } from "../../src/frameworks/anthropic/index.js";
import { googleTools } from "../../src/frameworks/google/index.js";
import { langchainTools } from "../../src/frameworks/langchain/index.js";
import { mastraTools } from "../../src/frameworks/mastra/index.js";
import type { MastraToolDefinition } from "../../src/frameworks/mastra/index.js";
import { openaiTools } from "../../src/frameworks/openai/index.js";
import { fakeFleet } from "./fakeFleet.js";

const structured = { celsius: 21 };
const image = { type: "image", mimeType: "image/png", data: "iVBOR" };

function weather() {
  const fleet = fakeFleet([{ name: "weather" }, { name: "news" }]);
  fleet.answer = () => ({ text: "21 degrees", structured, content: [image] });
  return fleet;
}

describe("structured content", () => {
  it("is in the output of the AI SDK, beside what the model reads", async () => {
    const tool = aiSdkTools(weather())["weather"] as Tool & {
      execute: (...args: unknown[]) => AsyncIterable<unknown>;
    };
    const outputs: unknown[] = [];
    for await (const each of tool.execute({}, { toolCallId: "1" })) outputs.push(each);

    expect(outputs).toMatchObject([{ type: "result", ok: true, structured }]);
  });

  it("is in Gemini's response", async () => {
    const content = await googleTools(weather()).run([{ id: "1", name: "weather", args: {} }]);

    expect(content?.parts?.[0]?.functionResponse).toMatchObject({
      response: { output: { text: "21 degrees", structured } },
      parts: [{ inlineData: { mimeType: "image/png" } }],
    });
  });

  it("is in the artifact of LangChain's ToolMessage", async () => {
    const [tool] = langchainTools(weather());
    const message = await tool!.invoke({ id: "1", name: tool!.name, args: { path: "a" }, type: "tool_call" });

    expect(message).toMatchObject({ tool_call_id: "1", artifact: { ok: true, structured } });
  });

  it("is in the output of Mastra", async () => {
    const tools = mastraTools(weather(), { createTool: (definition: MastraToolDefinition) => definition });

    expect(await tools["weather"]!.execute({}, {})).toMatchObject({ ok: true, structured });
  });
});

describe("lists that are asked for", () => {
  it("follow the fleet, in one order", () => {
    const fleet = weather();
    const chat = openaiTools(fleet);
    const messages = anthropicTools(fleet);
    const list = langchainTools(fleet);
    const names = () => [
      chat.chatTools().map((tool) => tool.function.name),
      chat.agentTools().map((tool) => tool.name),
      messages.tools().map((tool) => tool.name),
      list.map((tool) => tool.name),
    ];

    expect(names()).toEqual(Array.from({ length: 4 }, () => ["news", "weather"]));
    fleet.set([{ name: "zoo" }, { name: "art" }]);
    expect(names()).toEqual(Array.from({ length: 4 }, () => ["art", "zoo"]));
    expect(Array.isArray(list)).toBe(true);
    expect(messages.tools().map((tool) => tool.cache_control)).toEqual([undefined, { type: "ephemeral" }]);
  });
});

describe("progress", () => {
  it("is told with the call it belongs to", async () => {
    const fleet = weather();
    const told: unknown[] = [];
    const running = openaiTools(fleet).runChat(
      [{ id: "1", type: "function", function: { name: "weather", arguments: "{}" } }],
      { onProgress: (call, progress) => told.push([call.id, progress]) },
    );
    fleet.calls[0]!.options.onProgress?.({ progress: 1, total: 2 });
    await running;

    expect(told).toEqual([["1", { progress: 1, total: 2 }]]);
  });
});
