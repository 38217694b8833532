// An agent with Gemini: the SDK's automatic function calling runs the loop, the tools follow the fleet at every turn.
import { GoogleGenAI } from "@google/genai";
import { googleTools } from "mcpvisor/google";
import { pretendModel } from "../servers/model.mjs";
import { fleet } from "./fleet.mjs";

const supervisor = await fleet();
const ai = process.env.GEMINI_API_KEY
  ? new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY })
  : new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: await pretendModel() } });

const response = await ai.models.generateContent({
  model: "gemini-2.5-flash",
  contents: "Greet Ada.",
  config: { tools: [googleTools(supervisor).callable()] },
});
console.log(response.text);
await supervisor.stop();
