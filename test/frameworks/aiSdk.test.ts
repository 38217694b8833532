import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, streamText } from "ai";
import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { aiSdkTools } from "../../src/frameworks/ai-sdk/index.js";
import { fakeProvider, turns } from "./fakes/provider.js";
import { holdsLoop } from "./loop.js";
import { entities, world } from "./world.js";

const modelAt = (url: string) =>
  createOpenAICompatible({ name: "fake", baseURL: url, apiKey: "none" })("gpt-test");

holdsLoop({
  name: "AI SDK",
  badJson: true,
  loop: async ({ url, world: here, stream, signal }) => {
    const options = {
      model: modelAt(url),
      prompt: "go",
      tools: aiSdkTools(here.supervisor, { approvals: "supervisor" }),
      stopWhen: isStepCount(12),
      maxRetries: 0,
      ...(signal && { abortSignal: signal }),
    };
    if (!stream) return (await generateText(options)).text;
    const result = streamText(options);
    await result.consumeStream();
    return await result.text;
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

describe("AI SDK tools", () => {
  it("ask in the chat what the supervisor would ask, and run what was approved there", async () => {
    const here = await world();
    const fake = await fakeProvider(
      turns({ calls: [{ id: "one", name: here.names.create, args: entities }] }, { text: "Created." }),
    );
    const tools = aiSdkTools(here.supervisor);
    const messages: ModelMessage[] = [{ role: "user", content: "go" }];
    const options = { model: modelAt(fake.url), tools, stopWhen: isStepCount(5), maxRetries: 0 };

    const first = await generateText({ ...options, messages });
    const request = first.content.find((part) => part.type === "tool-approval-request");
    expect(request).toMatchObject({ toolCall: { toolName: here.names.create } });

    messages.push(...first.response.messages, {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId: request!.approvalId, approved: true }],
    });
    const second = await generateText({ ...options, messages });

    expect(second.text).toBe("Created.");
    expect(JSON.stringify(fake.requests.at(-1).messages)).toContain("Ada");
    expect(here.asked).toEqual([]);
  });

  it("follow the fleet between steps: a tool that is gone says so, a new one is offered", async () => {
    const here = await world();
    const fake = await fakeProvider(
      turns(
        { calls: [{ id: "one", name: here.names.echo, args: { message: "hi" } }] },
        async () => {
          await here.supervisor.removeServer("every");
          return { calls: [{ id: "two", name: here.names.echo, args: { message: "hi" } }] };
        },
        { text: "Gone." },
      ),
    );

    const { text } = await generateText({
      model: modelAt(fake.url),
      prompt: "go",
      tools: aiSdkTools(here.supervisor),
      stopWhen: isStepCount(5),
    });

    expect(text).toBe("Gone.");
    const names = fake.requests.map((body) =>
      body.tools.map((tool: { function: { name: string } }) => tool.function.name),
    );
    expect(names[1]).toContain(here.names.echo);
    expect(names[2]).not.toContain(here.names.echo);
    expect(fake.requests[2].messages.at(-1).content).toContain("not available any more");
  });

  it("tell progress as preliminary results", async () => {
    const here = await world();
    const fake = await fakeProvider(
      turns(
        { calls: [{ id: "one", name: here.names.long, args: { duration: 1, steps: 3 } }] },
        { text: "Done." },
      ),
    );

    const result = streamText({
      model: modelAt(fake.url),
      prompt: "go",
      tools: aiSdkTools(here.supervisor),
      stopWhen: isStepCount(5),
    });
    const preliminary: unknown[] = [];
    for await (const part of result.fullStream) {
      if (part.type === "tool-result" && part.preliminary === true) preliminary.push(part.output);
    }

    expect(preliminary).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: "progress", total: 3 })]),
    );
  });
});
