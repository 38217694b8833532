// An agent with Mastra: `npm install @mastra/core @ai-sdk/openai-compatible` first, it is too large for this repository's own.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { mastraTools } from "mcpvisor/mastra";
import { pretendModel } from "../servers/model.mjs";
import { fleet } from "./fleet.mjs";

const supervisor = await fleet();
const provider = process.env.OPENAI_API_KEY
  ? { baseURL: "https://api.openai.com/v1", apiKey: process.env.OPENAI_API_KEY }
  : { baseURL: await pretendModel(), apiKey: "none" };
const agent = new Agent({
  id: "greeter",
  name: "greeter",
  instructions: "Answer in one sentence.",
  model: createOpenAICompatible({ name: "openai", ...provider })("gpt-5-mini"),
  tools: () => mastraTools(supervisor, { createTool, approvals: "supervisor" }),
});

const { text } = await agent.generate("Greet Ada.", { maxSteps: 5 });
console.log(text);
await supervisor.stop();
