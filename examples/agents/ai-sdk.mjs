// An agent with the AI SDK: a ToolSet that is read anew at every step.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount } from "ai";
import { aiSdkTools } from "mcpvisor/ai-sdk";
import { pretendModel } from "../servers/model.mjs";
import { fleet } from "./fleet.mjs";

const supervisor = await fleet();
const baseURL = process.env.OPENAI_API_KEY ? "https://api.openai.com/v1" : await pretendModel();
const provider = createOpenAICompatible({
  name: "openai",
  baseURL,
  apiKey: process.env.OPENAI_API_KEY ?? "none",
});

const { text } = await generateText({
  model: provider("gpt-5-mini"),
  prompt: "Greet Ada.",
  tools: aiSdkTools(supervisor),
  stopWhen: isStepCount(10),
});
console.log(text);
await supervisor.stop();
