import type { FunctionTool } from "@openai/agents";
import type { Host } from "../calls/host.js";
import type { CallOutcome } from "../contract/calls.js";
import { liveArray } from "../live/live.js";
import type { OfferedTool } from "../contract/offer.js";

/** A function tool of `@openai/agents`, whatever the context of the run. */
// oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own type for tools of any context
export type AgentsTool = FunctionTool<any, any, any>;

export function agentTools(host: Host): AgentsTool[] {
  const made = new WeakMap<OfferedTool, AgentsTool>();
  const lists = new WeakMap<readonly OfferedTool[], AgentsTool[]>();
  return liveArray(() => {
    const list = host.offer.list();
    let tools = lists.get(list);
    if (tools === undefined) {
      tools = list.map((tool) => {
        const known = made.get(tool) ?? agentTool(tool, host);
        made.set(tool, known);
        return known;
      });
      lists.set(list, tools);
    }
    return tools;
  });
}

function agentTool({ name, description, schema }: OfferedTool, host: Host): AgentsTool {
  return {
    type: "function",
    name,
    description,
    parameters: schema.schema as AgentsTool["parameters"],
    strict: schema.strict,
    needsApproval: async (_context, input) => host.asks(name, input),
    isEnabled: async () => host.offer.find(name) !== undefined,
    invoke: async (_context, input, details) => {
      const signal = details?.signal;
      const id = details?.toolCall?.callId;
      const outcome = await host.runCall(
        { id, name, arguments: input },
        // The SDK runs what needs approval only after a person has approved it.
        { ...(signal && { signal }), ...(host.asks(name, input) && { approve: () => "allow" as const }) },
      );
      return outputOf(outcome);
    },
  };
}

function outputOf({ text, media }: CallOutcome): unknown {
  const images = media.filter((each) => each.kind === "image");
  if (images.length === 0) return text;
  return [
    { type: "text", text },
    ...images.map(({ data, mimeType }) => ({ type: "image", image: { data, mediaType: mimeType } })),
  ];
}
