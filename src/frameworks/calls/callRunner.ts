import type { CallOptions, ToolResult } from "../../index.js";
import type { Fleet, Offer, OfferedTool } from "../contract/offer.js";
import { isSearchTool } from "../search/searchTools.js";
import { searcherOf } from "../search/runSearch.js";
import { clip } from "./clip.js";
import { mediaOf } from "./media.js";
import { readArguments } from "./readArguments.js";
import { unknownTool } from "./texts.js";
import type { CallOutcome, Media, ModelCall, RunOptions } from "../contract/calls.js";

const noMedia: readonly Media[] = [];
const defaultCharacters = 100_000;

/** Runs one call of a model at a time. Never rejects. */
export type RunCall = (call: ModelCall, options?: RunOptions) => Promise<CallOutcome>;

/** Runs the calls of models with the tools of an offer. */
export function callRunner(fleet: Fleet, offer: Offer): RunCall {
  const searcher = searcherOf(offer);

  async function run(call: ModelCall, options: RunOptions = {}): Promise<CallOutcome> {
    try {
      const tool = offer.find(call.name);
      if (tool === undefined) return refused(call, "unknown-tool", unknownTool(call.name, offer));
      const args = readArguments(call.name, call.arguments);
      if (!args.ok) return refused(call, "invalid-arguments", args.message);
      const restored = tool.schema.same ? args.value : tool.schema.restore(args.value);
      if (tool.descriptor !== undefined) return await callTool(call, tool.descriptor.name, restored, options);
      return await runSearch(call, tool, restored as Record<string, unknown>, options);
    } catch (error) {
      return refused(
        call,
        "internal",
        `The call of ${call.name} failed here: ${textOf(error)}. Try another way.`,
      );
    }
  }

  async function runSearch(
    call: ModelCall,
    { name }: OfferedTool,
    args: Readonly<Record<string, unknown>>,
    options: RunOptions,
  ): Promise<CallOutcome> {
    if (!isSearchTool(name)) return refused(call, "unknown-tool", unknownTool(name, offer));
    if (name === "search_tools") return answered(call, await searcher.search(args));
    if (name === "describe_tools") return answered(call, searcher.describe(args));
    const inner = typeof args["name"] === "string" ? args["name"] : "";
    // One level: a search tool called through call_tool would only be a longer way to itself.
    if (isSearchTool(inner))
      return refused(call, "invalid-arguments", `Call ${inner} itself, not through call_tool.`);
    const outcome = await run({ id: call.id, name: inner, arguments: args["arguments"] }, options);
    return { ...outcome, call };
  }

  async function callTool(
    call: ModelCall,
    name: string,
    args: unknown,
    options: RunOptions,
  ): Promise<CallOutcome> {
    const result = await fleet.callTool(name, args, optionsFor(call, options));
    return outcomeOf(call, result, options.resultCharacters ?? defaultCharacters);
  }

  return run;
}

function optionsFor(
  call: ModelCall,
  { signal, timeout, caller, approve, onProgress }: RunOptions,
): CallOptions {
  return {
    ...(signal && { signal }),
    ...(timeout !== undefined && { timeout }),
    ...(caller !== undefined && { caller }),
    ...(approve && { approve }),
    ...(onProgress && { onProgress: (progress) => onProgress(call, progress) }),
  };
}

function outcomeOf(call: ModelCall, result: ToolResult, most: number): CallOutcome {
  const text = clip(result.text, most);
  const media = result.content.length === 0 ? noMedia : mediaOf(result.content);
  const outcome = { call, ok: result.ok, text, media, result };
  if (!result.ok) return { ...outcome, text: failureText(result, text), failure: result.failure.kind };
  return result.structured === undefined ? outcome : { ...outcome, structured: result.structured };
}

/** A server's own words about its error are the model's best help; for everything else it is our message. */
function failureText(result: ToolResult & { readonly ok: false }, text: string): string {
  return result.failure.kind === "tool-error" && text !== "" ? text : clip(result.failure.message, 4000);
}

function answered(call: ModelCall, text: string): CallOutcome {
  return { call, ok: true, text, media: noMedia };
}

export function refused(
  call: ModelCall,
  failure: NonNullable<CallOutcome["failure"]>,
  text: string,
): CallOutcome {
  return { call, ok: false, text, media: noMedia, failure };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
