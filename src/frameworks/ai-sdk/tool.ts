import { dynamicTool, jsonSchema } from "ai";
import type { Tool } from "ai";
import type { Host } from "../calls/host.js";
import type { ModelCall, RunOptions } from "../contract/calls.js";
import type { OfferedTool } from "../contract/offer.js";
import type { AiSdkOptions } from "./options.js";
import { modelOutput, outputOf } from "./output.js";
import type { AiSdkOutput } from "./output.js";

type JsonSchema = Parameters<typeof jsonSchema>[0];

export function toolOf(tool: OfferedTool, host: Host, options: AiSdkOptions): Tool {
  const { name, description, schema, descriptor } = tool;
  const ours = options.approvals === "supervisor";
  return {
    ...dynamicTool({
      description,
      inputSchema: jsonSchema(schema.schema as JsonSchema),
      ...(schema.strict && { strict: true }),
      ...(descriptor !== undefined && { metadata: { server: descriptor.server, tool: descriptor.tool } }),
      ...(!ours && { needsApproval: (input: unknown) => host.asks(name, input) }),
      execute: (input, { toolCallId, abortSignal }) =>
        withProgress(
          host,
          { id: toolCallId, name, arguments: input },
          {
            ...(abortSignal && { signal: abortSignal }),
            // The AI SDK runs what needs approval only after a person has approved it.
            ...(!ours && host.asks(name, input) && { approve: () => "allow" as const }),
          },
        ),
      toModelOutput: ({ output }) => modelOutput(output as AiSdkOutput),
    }),
    ...options.more?.(tool),
  };
}

/** A tool that is not offered any more: it says so. */
export function goneTool(name: string, host: Host): Tool {
  return dynamicTool({
    description: "Not available any more.",
    inputSchema: jsonSchema({ type: "object" }),
    execute: async (input, { toolCallId }) =>
      outputOf(await host.runCall({ id: toolCallId, name, arguments: input })),
    toModelOutput: ({ output }) => modelOutput(output as AiSdkOutput),
  });
}

/** Every message of progress as a preliminary result, the outcome as the last one. */
async function* withProgress(host: Host, call: ModelCall, options: RunOptions): AsyncGenerator<AiSdkOutput> {
  const news: AiSdkOutput[] = [];
  const state = { over: false, wake: () => {} };
  const running = host
    .runCall(call, {
      ...options,
      onProgress: (_, { progress, total, message }) => {
        news.push({
          type: "progress",
          progress,
          ...(total !== undefined && { total }),
          ...(message !== undefined && { message }),
        });
        state.wake();
      },
    })
    .finally(() => {
      state.over = true;
      state.wake();
    });
  while (!state.over) {
    await new Promise<void>((done) => {
      state.wake = done;
      if (state.over || news.length > 0) done();
    });
    while (news.length > 0) yield news.shift()!;
  }
  yield outputOf(await running);
}
