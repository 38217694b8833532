import Anthropic from "@anthropic-ai/sdk";
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { anthropicTools } from "../../src/frameworks/anthropic/index.js";
import type { Body } from "./fakes/provider.js";
import { holdsLoop } from "./loop.js";
import type { Tried } from "./loop.js";

const read: Pick<Tried, "answers" | "tools"> = {
  answers: (body) => {
    const blocks: Body[] = body.messages.at(-1).content;
    return blocks
      .filter((block) => block.type === "tool_result")
      .map((block) => {
        const parts: Body[] = Array.isArray(block.content)
          ? block.content
          : [{ type: "text", text: block.content }];
        const text = parts.map((part) => part.text ?? "").join("");
        return { id: block.tool_use_id, text, images: parts.filter((part) => part.type === "image").length };
      });
  },
  tools: (body) => body.tools.map((tool: { name: string }) => tool.name),
};

for (const strict of [false, true]) {
  holdsLoop({
    name: `Anthropic messages${strict ? ", strict" : ""}`,
    loop: async ({ url, world, stream, signal }) => {
      const client = new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0 });
      const mcp = anthropicTools(world.supervisor, { strict });
      const messages: MessageParam[] = [{ role: "user", content: "go" }];
      for (;;) {
        const params = { model: "claude-test", max_tokens: 1000, messages, tools: mcp.tools() };
        const own = signal === undefined ? {} : { signal };
        const message = stream
          ? await client.messages.stream(params, own).finalMessage()
          : await client.messages.create(params, own);
        messages.push({ role: "assistant", content: message.content });
        const answer = await mcp.run(message, own);
        if (answer === undefined)
          return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
        messages.push(answer);
      }
    },
    ...read,
  });
}

holdsLoop({
  name: "Anthropic tool runner",
  loop: async ({ url, world, stream, signal }) => {
    const client = new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0 });
    const tools = anthropicTools(world.supervisor).runnableTools();
    const own = signal === undefined ? {} : { signal };
    const params = {
      model: "claude-test",
      max_tokens: 1000,
      messages: [{ role: "user" as const, content: "go" }],
      tools,
    };
    const message = stream
      ? await client.beta.messages.toolRunner({ ...params, stream: true }, own).runUntilDone()
      : await client.beta.messages.toolRunner({ ...params, stream: false }, own).runUntilDone();
    return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  },
  ...read,
});
