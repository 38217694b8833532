import { Agent, OpenAIResponsesModel, Runner, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { openaiTools } from "../../src/frameworks/openai/index.js";
import { fakeProvider, turns } from "./fakes/provider.js";
import { holdsLoop } from "./loop.js";
import { entities, world } from "./world.js";
import type { World } from "./world.js";

setTracingDisabled(true);

function agentOf(url: string, here: World): Agent {
  const client = new OpenAI({ apiKey: "none", baseURL: url, maxRetries: 0 });
  return new Agent({
    name: "tester",
    model: new OpenAIResponsesModel(client, "gpt-test"),
    tools: openaiTools(here.supervisor).agentTools(),
  });
}

holdsLoop({
  name: "OpenAI Agents SDK",
  badJson: true,
  frameworkAsks: true,
  loop: async ({ url, world: here, stream, signal }) => {
    const runner = new Runner({
      tracingDisabled: true,
      toolNotFoundBehavior: "return_error_to_model",
    } as object);
    const agent = agentOf(url, here);
    const own = { maxTurns: 12, ...(signal && { signal }) };
    let input: Parameters<typeof runner.run>[1] = "go";
    for (;;) {
      const result = stream
        ? await runner.run(agent, input, { ...own, stream: true })
        : await runner.run(agent, input, own);
      if ("completed" in result) await result.completed;
      if (result.interruptions.length === 0) return String(result.finalOutput);
      for (const each of result.interruptions) result.state.approve(each);
      input = result.state as never;
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

describe("OpenAI Agents SDK tools", () => {
  it("pause the run for consent, and say it when a person refuses", async () => {
    const here = await world();
    const fake = await fakeProvider(
      turns({ calls: [{ id: "one", name: here.names.create, args: entities }] }, { text: "Not created." }),
    );
    const agent = agentOf(fake.url, here);
    const runner = new Runner({ tracingDisabled: true });

    const paused = await runner.run(agent, "go");
    expect(paused.interruptions.map((each) => each.name)).toEqual([here.names.create]);
    paused.state.reject(paused.interruptions[0]!);
    const done = await runner.run(agent, paused.state);

    expect(done.finalOutput).toBe("Not created.");
    expect(here.asked).toEqual([]);
  });
});
