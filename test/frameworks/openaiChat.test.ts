import OpenAI from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { openaiTools } from "../../src/frameworks/openai/index.js";
import { holdsLoop } from "./loop.js";
import type { Tried } from "./loop.js";

for (const strict of [false, true]) {
  const chat: Tried = {
    name: `OpenAI chat completions${strict ? ", strict" : ""}`,
    // Strict mode cannot write bad JSON, and the SDK's own stream refuses it.
    badJson: !strict,
    loop: async ({ url, world, stream, signal }) => {
      const client = new OpenAI({ apiKey: "none", baseURL: url, maxRetries: 0 });
      const mcp = openaiTools(world.supervisor, { strict });
      const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "go" }];
      for (;;) {
        const params = { model: "gpt-test", messages, tools: mcp.chatTools() };
        const own = signal === undefined ? {} : { signal };
        const message = stream
          ? await client.chat.completions.stream(params, own).finalMessage()
          : (await client.chat.completions.create(params, own)).choices[0]!.message;
        messages.push(message);
        if (!message.tool_calls?.length) return message.content ?? "";
        messages.push(...(await mcp.runChat(message, own)));
      }
    },
    answers: (body) => {
      const messages = body.messages as { role: string; tool_call_id?: string; content: unknown }[];
      const last = messages.findLastIndex((each) => each.role === "assistant");
      const after = messages.slice(last + 1);
      const images = after
        .filter((each) => each.role === "user" && Array.isArray(each.content))
        .flatMap((each) => each.content as { type: string }[])
        .filter((part) => part.type === "image_url").length;
      return after
        .filter((each) => each.role === "tool")
        .map((each, at) => ({
          id: each.tool_call_id!,
          text: String(each.content),
          images: at === 0 ? images : 0,
        }));
    },
    tools: (body) => body.tools.map((tool: { function: { name: string } }) => tool.function.name),
  };
  holdsLoop(chat);
}
