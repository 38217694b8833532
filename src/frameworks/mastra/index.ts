import { hostOf } from "../calls/host.js";
import type { Host, HostOptions } from "../calls/host.js";
import type { CallOutcome, RunOptions } from "../contract/calls.js";
import { liveRecord } from "../live/live.js";
import type { Fleet, OfferedTool } from "../contract/offer.js";
import type { JsonSchema, Provider } from "../contract/schema.js";

export type { HostOptions } from "../calls/host.js";

export interface MastraOptions<T> extends HostOptions {
  /** `createTool` of `@mastra/core/tools`. */
  readonly createTool: (definition: MastraToolDefinition) => T;
  /** Whose rules the schemas follow. Default: `any`. */
  readonly provider?: Provider;
  /** Who asks for consent: Mastra (`requireApproval`) or the supervisor. Default: `mastra`. */
  readonly approvals?: "mastra" | "supervisor";
}

/** What `createTool` is given for each tool. */
export interface MastraToolDefinition {
  /** The name that the model is told. */
  readonly id: string;
  /** What the model reads. */
  readonly description: string;
  /** JSON Schema by the rules of `provider`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- createTool infers from literal schemas; these are only known when they run
  readonly inputSchema: any;
  /** Set where the schema follows the strict rules of its provider. */
  readonly strict?: boolean;
  /** Whether this call needs consent now; absent when the supervisor asks. */
  readonly requireApproval?: (input: unknown) => boolean;
  /** Runs the call. Never rejects. */
  readonly execute: (input: unknown, context: MastraContext) => Promise<MastraOutput>;
  /** What the model is given of what `execute` gave. */
  readonly toModelOutput: (output: unknown) => unknown;
}

/** What Mastra hands to a tool, as far as it is used here. */
export interface MastraContext {
  /** Aborted with the run. */
  readonly abortSignal?: AbortSignal | undefined;
  /** The agent that calls; `toolCallId` is the id of its call. */
  readonly agent?:
    | {
        /** The id of the call. */
        readonly toolCallId?: string;
      }
    | undefined;
  /** The stream of the run, for progress; absent where nothing is streamed. */
  readonly writer?:
    | {
        /** Writes a part of a kind of one's own. */
        custom?: (data: { type: `data-${string}`; data: unknown }) => Promise<void>;
      }
    | undefined;
}

/** What a call gives: plain JSON. */
export interface MastraOutput extends Pick<CallOutcome, "ok" | "text" | "media" | "structured"> {
  /** Why it failed: a failure kind, or `repeated`. */
  readonly failure?: string;
}

/**
 * The tools of a fleet for `tools` of a Mastra agent, by name. Mastra reads them at the start of every run: `tools: () =>
 * mcp` and `tools: mcp` both follow the fleet. Progress is written to the run's stream as `data-mcpvisor-progress`.
 */
export function mastraTools<T>(fleet: Fleet, options: MastraOptions<T>): Record<string, T> {
  const host = hostOf(fleet, options.provider ?? "any", options);
  const made = new WeakMap<OfferedTool, { readonly tool: T }>();
  const sets = new WeakMap<readonly OfferedTool[], Record<string, T>>();

  function toolFor(tool: OfferedTool): T {
    const known = made.get(tool) ?? {
      tool: options.createTool(definitionOf(tool, host, options.approvals !== "supervisor")),
    };
    made.set(tool, known);
    return known.tool;
  }

  return liveRecord<T>(() => {
    const list = host.offer.list();
    const set = sets.get(list) ?? Object.fromEntries(list.map((tool) => [tool.name, toolFor(tool)]));
    sets.set(list, set);
    return set;
  });
}

function definitionOf(
  { name, description, schema }: OfferedTool,
  host: Host,
  frameworkAsks: boolean,
): MastraToolDefinition {
  return {
    id: name,
    description,
    inputSchema: schema.schema satisfies JsonSchema,
    ...(schema.strict && { strict: true }),
    ...(frameworkAsks && { requireApproval: (input) => host.asks(name, input) }),
    execute: async (input, context) => {
      const signal = context?.abortSignal;
      const own: RunOptions = {
        ...(signal && { signal }),
        // Mastra runs what requires approval only after a person has approved it.
        ...(frameworkAsks && host.asks(name, input) && { approve: () => "allow" as const }),
        onProgress: (_, progress) => {
          // A run whose stream is closed has nobody to tell.
          void context?.writer
            ?.custom?.({ type: "data-mcpvisor-progress", data: { tool: name, ...progress } })
            ?.catch(() => {});
        },
      };
      const { ok, text, media, structured, failure } = await host.runCall(
        { id: context?.agent?.toolCallId, name, arguments: input },
        own,
      );
      return {
        ok,
        text,
        media,
        ...(structured !== undefined && { structured }),
        ...(failure !== undefined && { failure }),
      };
    },
    toModelOutput: modelOutput,
  };
}

/** Mastra hands in what it says itself, too: arguments that do not fit the schema never reach `execute`. */
function modelOutput(output: unknown): unknown {
  const { ok, text, media, message } = Object(output) as Partial<MastraOutput> & {
    readonly message?: unknown;
  };
  if (typeof text !== "string") {
    const said = typeof message === "string" ? message : (JSON.stringify(output) ?? "no output");
    return { type: "error-text", value: said };
  }
  if (ok !== true) return { type: "error-text", value: text };
  if (media === undefined || media.length === 0) return { type: "text", value: text };
  return {
    type: "content",
    value: [
      { type: "text", text },
      ...media.map(({ data, mimeType }) => ({ type: "media", mediaType: mimeType, data })),
    ],
  };
}
