import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import type { MessageParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import { hostOf } from "../calls/host.js";
import type { HostOptions } from "../calls/host.js";
import { perId } from "../calls/runCalls.js";
import type { RunOptions } from "../contract/calls.js";
import type { Fleet } from "../contract/offer.js";
import { readToolUses, toolResult } from "./blocks.js";
import type { ToolUses } from "./blocks.js";
import { runnableTools } from "./runnable.js";

export type { Block, ToolUses } from "./blocks.js";
export type { HostOptions } from "../calls/host.js";
export type { RunOptions } from "../contract/calls.js";

/** How the tools are offered to the Messages API. */
export interface AnthropicOptions extends Omit<HostOptions, "provider"> {
  /** Declares tools `strict: true`. A tool whose schema is too large for strict mode is declared without. Default: false. */
  readonly strict?: boolean;
  /** Puts a cache breakpoint after the last tool, so that the definitions are read from the prompt cache. Default: true. */
  readonly cache?: boolean;
}

/** The tools of a fleet for Anthropic's Messages API. */
export interface AnthropicTools {
  /** For `tools` of `messages.create` and `messages.stream`; ask again before every request. */
  tools(): Tool[];
  /**
   * Runs the `tool_use` blocks of a message and gives the one `user` message to append: a `tool_result` per call, in
   * order, images as blocks, failures marked `is_error`. Nothing when the message has no calls. Never rejects.
   */
  run(message: ToolUses, options?: RunOptions): Promise<MessageParam | undefined>;
  /** For `tools` of `client.beta.messages.toolRunner`. */
  runnableTools(): BetaRunnableTool[];
}

/** Offers the tools of a fleet to Anthropic's Messages API and its tool runner. */
export function anthropicTools(fleet: Fleet, options: AnthropicOptions = {}): AnthropicTools {
  const host = hostOf(fleet, options.strict === true ? "anthropic-strict" : "anthropic", options);
  const tools = (): Tool[] =>
    host.offer.list().map(({ name, description, schema }, at, list) => ({
      name,
      description,
      input_schema: schema.schema as Tool["input_schema"],
      ...(schema.strict && { strict: true }),
      ...(options.cache !== false && at === list.length - 1 && { cache_control: { type: "ephemeral" } }),
    }));
  return {
    tools,
    run: async (message, own) => {
      const calls = readToolUses(message);
      if (calls.length === 0) return undefined;
      return { role: "user", content: perId(await host.run(calls, own)).map(toolResult) };
    },
    runnableTools: () => runnableTools(host, tools()),
  };
}
