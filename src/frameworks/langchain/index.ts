import { DynamicStructuredTool } from "@langchain/core/tools";
import { hostOf } from "../calls/host.js";
import type { Host, HostOptions } from "../calls/host.js";
import { liveArray } from "../live/live.js";
import type { Fleet, OfferedTool } from "../contract/offer.js";
import type { JsonSchema, Provider } from "../contract/schema.js";
import { artifactOf, contentOf } from "./content.js";
import type { LangChainArtifact } from "./content.js";

export type { LangChainArtifact } from "./content.js";
export type { HostOptions } from "../calls/host.js";

export interface LangChainOptions extends HostOptions {
  /** Whose rules the schemas follow. Default: `any`. */
  readonly provider?: Provider;
  /**
   * LangGraph's `interrupt`: a call that needs consent then pauses the graph with this question and goes on with the
   * answer of `Command({ resume })`: `true`, `"allow"`, or `{ approved: true }`. Default: the supervisor asks.
   */
  readonly interrupt?: (question: ConsentQuestion) => unknown;
}

/** What `interrupt` shows. */
export interface ConsentQuestion {
  /** Tells this interrupt from others of the graph. */
  readonly type: "mcpvisor.approval";
  /** The public name of the tool. */
  readonly tool: string;
  /** The id of its server. */
  readonly server: string;
  /** What the model wrote, as the tool would get it. */
  readonly arguments: unknown;
}

/** One tool of the fleet, as `bindTools` and `ToolNode` take it. */
export type LangChainTool = DynamicStructuredTool<JsonSchema>;

/**
 * The tools of a fleet for LangChain models, agents and LangGraph's ToolNode: a list that follows the fleet wherever it
 * is read again. Images and sounds are content blocks, structured content and the whole result are the artifact of the
 * ToolMessage, failures have the status `error`.
 */
export function langchainTools(fleet: Fleet, options: LangChainOptions = {}): LangChainTool[] {
  const host = hostOf(fleet, options.provider ?? "any", options);
  const made = new WeakMap<OfferedTool, LangChainTool>();
  const lists = new WeakMap<readonly OfferedTool[], LangChainTool[]>();
  return liveArray(() => {
    const list = host.offer.list();
    let tools = lists.get(list);
    if (tools === undefined) {
      tools = list.map((tool) => {
        const known = made.get(tool) ?? toolOf(tool, host, options);
        made.set(tool, known);
        return known;
      });
      lists.set(list, tools);
    }
    return tools;
  });
}

function toolOf(
  { name, description, schema, descriptor }: OfferedTool,
  host: Host,
  options: LangChainOptions,
): LangChainTool {
  return new DynamicStructuredTool({
    name,
    description,
    schema: schema.schema,
    responseFormat: "content_and_artifact",
    ...(descriptor !== undefined && { metadata: { server: descriptor.server, tool: descriptor.tool } }),
    func: async (
      args: unknown,
      _manager: unknown,
      config?: Config,
    ): Promise<[unknown, LangChainArtifact]> => {
      const asks = options.interrupt !== undefined && host.asks(name, args);
      if (
        asks &&
        !allowed(
          options.interrupt({
            type: "mcpvisor.approval",
            tool: name,
            server: descriptor?.server ?? "",
            arguments: args,
          }),
        )
      ) {
        const text = `The user did not allow ${name}; nothing was run. Ask what to do instead.`;
        return [text, { ok: false, failure: "denied" }];
      }
      const signal = config?.signal;
      const outcome = await host.runCall(
        { id: config?.toolCall?.id, name, arguments: args },
        { ...(signal && { signal }), ...(asks && { approve: () => "allow" as const }) },
      );
      return [contentOf(outcome), artifactOf(outcome)];
    },
  }) as LangChainTool;
}

interface Config {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

function allowed(answer: unknown): boolean {
  if (answer === true || answer === "allow" || answer === "allow-for-session" || answer === "approve")
    return true;
  return (
    typeof answer === "object" && answer !== null && (answer as { approved?: unknown }).approved === true
  );
}
