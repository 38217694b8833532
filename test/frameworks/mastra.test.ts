import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { mastraTools } from "../../src/frameworks/mastra/index.js";
import type { MastraToolDefinition } from "../../src/frameworks/mastra/index.js";
import { fakeProvider, turns } from "./fakes/provider.js";
import { holdsLoop } from "./loop.js";
import { entities, world } from "./world.js";
import type { World } from "./world.js";

const folder = resolve(import.meta.dirname, "mastra");
const installed = existsSync(resolve(folder, "node_modules"));

/** The parts of Mastra that are used here; its types are only there where it is installed. */
interface Loaded {
  readonly createTool: (definition: MastraToolDefinition) => object;
  readonly createOpenAICompatible: (options: object) => (model: string) => object;
  readonly Agent: new (options: object) => Agent;
  readonly Mastra: new (options: object) => { getAgent(name: string): Agent };
}

interface Agent {
  generate(prompt: string, options: object): Promise<Output>;
  stream(prompt: string, options: object): Promise<{ text: Promise<string>; consumeStream(): Promise<void> }>;
  approveToolCallGenerate(options: object): Promise<Output>;
}

interface Output {
  readonly text: string;
  readonly runId: string;
  readonly finishReason?: string;
  readonly suspendPayload?: { readonly toolCallId: string; readonly toolName: string };
}

/** Whether it is missing is the gate's to say, which installs it: `npm ci --prefix test/frameworks/mastra`. */
const loaded = installed ? ((await import(resolve(folder, "load.mjs"))) as Loaded) : undefined;

/** Mastra gives the texts of all steps as one. */
function lastOf(text: string): string {
  return text.replace("Let me look.", "");
}

function agentOf(url: string, here: World, approvals: "mastra" | "supervisor"): Agent {
  const { Agent, Mastra, createOpenAICompatible, createTool } = loaded!;
  const model = createOpenAICompatible({ name: "fake", baseURL: url, apiKey: "none" })("gpt-test");
  const tools = mastraTools(here.supervisor, { createTool, approvals });
  const agent = new Agent({
    id: "tester",
    name: "tester",
    instructions: "Test.",
    model,
    tools: () => tools,
    maxRetries: 0,
  });
  return new Mastra({ agents: { tester: agent }, logger: false }).getAgent("tester");
}

describe.skipIf(!installed)("Mastra", () => {
  holdsLoop({
    name: "Mastra agent",
    loop: async ({ url, world: here, stream, signal }) => {
      const agent = agentOf(url, here, "supervisor");
      const options = { maxSteps: 12, ...(signal && { abortSignal: signal }) };
      if (!stream) return lastOf((await agent.generate("go", options)).text);
      const output = await agent.stream("go", options);
      await output.consumeStream();
      return lastOf(await output.text);
    },
    answers: (body) => {
      const messages = body.messages as { role: string; tool_call_id?: string; content: unknown }[];
      const last = messages.findLastIndex((each) => each.role === "assistant");
      return messages
        .slice(last + 1)
        .filter((each) => each.role === "tool")
        .map(({ tool_call_id: id, content }) => {
          const text = typeof content === "string" ? content : JSON.stringify(content);
          return { id: id!, text, images: text.includes("image/png") && text.includes("iVBOR") ? 1 : 0 };
        });
    },
    tools: (body) => body.tools.map((tool: { function: { name: string } }) => tool.function.name),
  });

  it("asks for consent as Mastra does, and runs what was approved there", async () => {
    const here = await world();
    const fake = await fakeProvider(
      turns({ calls: [{ id: "one", name: here.names.create, args: entities }] }, { text: "Created." }),
    );
    const agent = agentOf(fake.url, here, "mastra");

    const paused = await agent.generate("go", { maxSteps: 5 });
    expect(paused.finishReason).toBe("suspended");
    expect(paused.suspendPayload?.toolName).toBe(here.names.create);
    const done = await agent.approveToolCallGenerate({
      runId: paused.runId,
      toolCallId: paused.suspendPayload!.toolCallId,
    });

    expect(done.text).toBe("Created.");
    expect(JSON.stringify(fake.requests.at(-1).messages)).toContain("Ada");
    expect(here.asked).toEqual([]);
  });
});
