import OpenAI from "openai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { openaiTools } from "../../src/frameworks/openai/index.js";
import { holdsLoop } from "./loop.js";

holdsLoop({
  name: "OpenAI Responses",
  badJson: true,
  loop: async ({ url, world, stream, signal }) => {
    const client = new OpenAI({ apiKey: "none", baseURL: url, maxRetries: 0 });
    const mcp = openaiTools(world.supervisor);
    const input: ResponseInputItem[] = [{ role: "user", content: "go" }];
    for (;;) {
      const params = { model: "gpt-test", input, tools: mcp.responseTools() };
      const own = signal === undefined ? {} : { signal };
      const response = stream
        ? await client.responses.stream(params, own).finalResponse()
        : await client.responses.create(params, own);
      input.push(...(response.output as ResponseInputItem[]));
      const answers = await mcp.runResponse(response, own);
      if (answers.length === 0) return response.output_text;
      input.push(...answers);
    }
  },
  answers: (body) => {
    const items = body.input as { type?: string; call_id?: string; output?: unknown }[];
    const last = items.findLastIndex((each) => each.type === "function_call");
    return items.slice(last + 1).map((item) => {
      const parts = Array.isArray(item.output) ? (item.output as { type: string; text?: string }[]) : [];
      const text = Array.isArray(item.output)
        ? parts.map((part) => part.text ?? "").join("")
        : String(item.output);
      return { id: item.call_id!, text, images: parts.filter((part) => part.type === "input_image").length };
    });
  },
  tools: (body) => body.tools.map((tool: { name: string }) => tool.name),
});
