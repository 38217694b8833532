// An agent with OpenAI's chat completions: tools asked for before every step, calls run together.
import { openaiTools } from "mcpvisor/openai";
import OpenAI from "openai";
import { pretendModel } from "../servers/model.mjs";
import { fleet } from "./fleet.mjs";

const supervisor = await fleet();
const client = process.env.OPENAI_API_KEY
  ? new OpenAI()
  : new OpenAI({ apiKey: "none", baseURL: await pretendModel() });
const mcp = openaiTools(supervisor);

const messages = [{ role: "user", content: "Greet Ada." }];
for (;;) {
  const request = { model: "gpt-5-mini", messages, tools: mcp.chatTools() };
  const { message } = (await client.chat.completions.create(request)).choices[0];
  messages.push(message);
  if (!message.tool_calls?.length) break;
  messages.push(...(await mcp.runChat(message)));
}
console.log(messages.at(-1).content);
await supervisor.stop();
