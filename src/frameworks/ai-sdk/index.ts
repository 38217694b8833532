import type { Tool, ToolSet } from "ai";
import { hostOf } from "../calls/host.js";
import { liveRecord } from "../live/live.js";
import type { Fleet, OfferedTool } from "../contract/offer.js";
import type { AiSdkOptions } from "./options.js";
import { goneTool, toolOf } from "./tool.js";

export type { AiSdkOptions } from "./options.js";
export type { AiSdkOutput, AiSdkProgress, AiSdkResult } from "./output.js";
export type { HostOptions } from "../calls/host.js";

/**
 * The tools of a fleet as a ToolSet of the AI SDK. It is read anew at every step, so servers that come, go or change
 * their lists need nothing from the host. Progress comes as preliminary results, images and sounds as content parts;
 * whatever goes wrong with a call is a result that the model reads, and nothing throws.
 */
export function aiSdkTools(fleet: Fleet, options: AiSdkOptions = {}): ToolSet {
  const host = hostOf(fleet, options.provider ?? "any", options);
  const made = new WeakMap<OfferedTool, Tool>();
  const sets = new WeakMap<readonly OfferedTool[], Record<string, Tool>>();

  function read(): Record<string, Tool> {
    const list = host.offer.list();
    let set = sets.get(list);
    if (set === undefined) {
      set = Object.fromEntries(list.map((tool) => [tool.name, wrapped(tool)]));
      sets.set(list, set);
    }
    return set;
  }

  function wrapped(tool: OfferedTool): Tool {
    const known = made.get(tool) ?? toolOf(tool, host, options);
    made.set(tool, known);
    return known;
  }

  return liveRecord<Tool>(read, (name) => {
    // A tool that went away between steps still answers, with what became of it.
    if (host.offer.gone(name) !== undefined) return goneTool(name, host);
    return undefined;
  });
}
