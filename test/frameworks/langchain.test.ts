import { HumanMessage, isAIMessage } from "@langchain/core/messages";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import {
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it } from "vitest";
import { langchainTools } from "../../src/frameworks/langchain/index.js";
import type { LangChainOptions } from "../../src/frameworks/langchain/index.js";
import { fakeProvider, turns } from "./fakes/provider.js";
import { holdsLoop } from "./loop.js";
import { entities, world } from "./world.js";
import type { World } from "./world.js";

function graphOf(url: string, here: World, stream: boolean, options: LangChainOptions = {}) {
  const tools = langchainTools(here.supervisor, options);
  const model = new ChatOpenAI({
    model: "gpt-test",
    apiKey: "none",
    configuration: { baseURL: url },
    maxRetries: 0,
    useResponsesApi: false,
  });
  return new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }, config) => {
      // Bound anew at every step: the list follows the fleet.
      const bound = model.bindTools([...tools]);
      if (!stream) return { messages: [await bound.invoke(messages, config)] };
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await bound.stream(messages, config))
        whole = whole === undefined ? chunk : concat(whole, chunk);
      return { messages: [whole!] };
    })
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges("model", ({ messages }) => {
      const last = messages.at(-1) as BaseMessage;
      return isAIMessage(last) &&
        ((last.tool_calls?.length ?? 0) > 0 || (last.invalid_tool_calls?.length ?? 0) > 0)
        ? "tools"
        : END;
    })
    .addEdge("tools", "model")
    .compile({ checkpointer: new MemorySaver() });
}

const thread = { configurable: { thread_id: "1" }, recursionLimit: 30 };

holdsLoop({
  name: "LangGraph",
  loop: async ({ url, world: here, stream, signal }) => {
    const graph = graphOf(url, here, stream);
    const config = { ...thread, ...(signal && { signal }) };
    const { messages } = await graph.invoke({ messages: [new HumanMessage("go")] }, config);
    return messages.at(-1)?.text ?? "";
  },
  answers: (body) => {
    const messages = body.messages as { role: string; tool_call_id?: string; content: unknown }[];
    const last = messages.findLastIndex((each) => each.role === "assistant");
    return messages
      .slice(last + 1)
      .filter((each) => each.role === "tool")
      .map(({ tool_call_id: id, content }) => {
        const text = typeof content === "string" ? content : JSON.stringify(content);
        return { id: id!, text, images: text.includes("image_url") ? 1 : 0 };
      });
  },
  tools: (body) => body.tools.map((tool: { function: { name: string } }) => tool.function.name),
});

describe("LangChain tools", () => {
  it.each([
    [true, "Ada"],
    [false, "did not allow"],
  ])("pause a graph for consent with LangGraph's interrupt (answer %s)", async (answer, expected) => {
    const here = await world();
    const fake = await fakeProvider(
      turns({ calls: [{ id: "one", name: here.names.create, args: entities }] }, { text: "Over." }),
    );
    const graph = graphOf(fake.url, here, false, { interrupt });

    const paused = await graph.invoke({ messages: [new HumanMessage("go")] }, thread);
    expect(JSON.stringify(paused)).toContain("mcpvisor.approval");
    const { messages } = await graph.invoke(new Command({ resume: answer }), thread);

    expect(JSON.stringify(messages.map((each) => each.content))).toContain(expected);
    expect(here.asked).toEqual([]);
  });
});
