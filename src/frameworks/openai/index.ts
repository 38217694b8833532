import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { FunctionTool, ResponseInputItem } from "openai/resources/responses/responses";
import { hostOf } from "../calls/host.js";
import type { HostOptions } from "../calls/host.js";
import { perId } from "../calls/runCalls.js";
import type { RunOptions } from "../contract/calls.js";
import type { Fleet } from "../contract/offer.js";
import { agentTools } from "./agents.js";
import type { AgentsTool } from "./agents.js";
import { chatMessages, readChatCalls } from "./chat.js";
import type { ChatCalls } from "./chat.js";
import { readResponseCalls, responseItems } from "./responses.js";

export type { AgentsTool } from "./agents.js";
export type { ChatCall, ChatCalls } from "./chat.js";
export type { HostOptions } from "../calls/host.js";
export type { RunOptions } from "../contract/calls.js";

/** How the tools are offered to OpenAI's APIs. */
export interface OpenAiOptions extends Omit<HostOptions, "provider"> {
  /**
   * Declares tools `strict: true`, so that arguments always fit the schema. A tool whose schema is too large for strict
   * mode is declared without. Default: false.
   */
  readonly strict?: boolean;
}

/** The tools of a fleet for OpenAI's APIs. */
export interface OpenAiTools {
  /** For `tools` of chat completions; ask again before every request, because the fleet's list changes. */
  chatTools(): ChatCompletionFunctionTool[];
  /**
   * Runs the calls of a message and gives the messages to append after it: one `tool` message per call, in order, and
   * a `user` message with the images of results, because `tool` messages hold text only. Never rejects.
   */
  runChat(calls: ChatCalls, options?: RunOptions): Promise<ChatCompletionMessageParam[]>;
  /** For `tools` of the Responses API; ask again before every request. */
  responseTools(): FunctionTool[];
  /** Runs the function calls among a response's output items and gives the items to append. Never rejects. */
  runResponse(
    output: readonly { readonly type: string }[] | { readonly output: readonly { readonly type: string }[] },
    options?: RunOptions,
  ): Promise<ResponseInputItem[]>;
  /**
   * For `tools` of an `Agent` of `@openai/agents`: a list that follows the fleet at every turn. What needs consent
   * pauses the run as the SDK's own approvals do.
   */
  agentTools(): AgentsTool[];
}

/** Offers the tools of a fleet to OpenAI's chat completions, Responses API and Agents SDK. */
export function openaiTools(fleet: Fleet, options: OpenAiOptions = {}): OpenAiTools {
  const host = hostOf(fleet, options.strict === true ? "openai-strict" : "openai", options);
  return {
    chatTools: () =>
      host.offer.list().map(({ name, description, schema }) => ({
        type: "function",
        function: {
          name,
          description,
          parameters: { ...schema.schema },
          ...(schema.strict && { strict: true }),
        },
      })),
    runChat: async (calls, own) => chatMessages(perId(await host.run(readChatCalls(calls), own))),
    responseTools: () =>
      host.offer.list().map(({ name, description, schema }) => ({
        type: "function",
        name,
        description,
        parameters: { ...schema.schema },
        strict: schema.strict,
      })),
    runResponse: async (output, own) => responseItems(perId(await host.run(readResponseCalls(output), own))),
    agentTools: () => agentTools(host),
  };
}
