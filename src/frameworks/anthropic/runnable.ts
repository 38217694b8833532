import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import type { Tool } from "@anthropic-ai/sdk/resources/messages";
import type { Host } from "../calls/host.js";
import type { CallOutcome } from "../contract/calls.js";
import { contentOf } from "./blocks.js";

type Output = Awaited<ReturnType<BetaRunnableTool["run"]>>;

/** The tool runner marks a result as failed when `run` throws something with `content`: its `ToolError`. */
class ToolFailure extends Error {
  override readonly name = "ToolError";
  readonly content: Output;
  constructor(outcome: CallOutcome) {
    super(outcome.text);
    this.content = contentOf(outcome);
  }
}

export function runnableTools(host: Host, tools: readonly Tool[]): BetaRunnableTool[] {
  return tools.map(
    (tool) =>
      ({
        ...tool,
        type: "custom",
        parse: (content: unknown) => content,
        run: async (args: unknown, context?: { toolUse?: { id: string }; signal?: AbortSignal | null }) => {
          const signal = context?.signal ?? undefined;
          const call = { id: context?.toolUse?.id, name: tool.name, arguments: args };
          const outcome = await host.runCall(call, signal === undefined ? undefined : { signal });
          if (!outcome.ok) throw new ToolFailure(outcome);
          return contentOf(outcome);
        },
      }) as BetaRunnableTool,
  );
}
