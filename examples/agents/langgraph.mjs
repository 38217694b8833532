// An agent with LangGraph: the tools are bound anew at every step, and one ToolNode runs them all.
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { langchainTools } from "mcpvisor/langchain";
import { pretendModel } from "../servers/model.mjs";
import { fleet } from "./fleet.mjs";

const supervisor = await fleet();
const model = process.env.OPENAI_API_KEY
  ? new ChatOpenAI({ model: "gpt-5-mini" })
  : new ChatOpenAI({
      model: "gpt-5-mini",
      apiKey: "none",
      configuration: { baseURL: await pretendModel() },
      useResponsesApi: false,
    });
const tools = langchainTools(supervisor);

const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({
    messages: [await model.bindTools([...tools]).invoke(messages)],
  }))
  .addNode("tools", new ToolNode(tools))
  .addEdge(START, "model")
  .addConditionalEdges("model", ({ messages }) => (messages.at(-1).tool_calls?.length ? "tools" : END))
  .addEdge("tools", "model")
  .compile();

const { messages } = await graph.invoke({ messages: [{ role: "user", content: "Greet Ada." }] });
console.log(messages.at(-1).content);
await supervisor.stop();
