// An agent with Anthropic's Messages API: one `tool_result` per call, images as blocks, failures marked.
import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "mcpvisor/anthropic";
import { pretendModel } from "../servers/model.mjs";
import { fleet } from "./fleet.mjs";

const supervisor = await fleet();
const client = process.env.ANTHROPIC_API_KEY
  ? new Anthropic()
  : new Anthropic({ apiKey: "none", baseURL: await pretendModel() });
const mcp = anthropicTools(supervisor);

const messages = [{ role: "user", content: "Greet Ada." }];
for (;;) {
  const request = { model: "claude-sonnet-5", max_tokens: 1000, messages, tools: mcp.tools() };
  const message = await client.messages.create(request);
  messages.push({ role: "assistant", content: message.content });
  const results = await mcp.run(message);
  if (results === undefined) break;
  messages.push(results);
}
console.log(messages.at(-1).content[0].text);
await supervisor.stop();
