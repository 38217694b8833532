import type { FleetServer } from "../contract/door.js";
import { isRecord } from "../contract/protocol.js";
import type { Json } from "../contract/protocol.js";

/** The extension under which calls go on as tasks (MCP 2026-07-28, Tasks extension). */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** Whether a side with these capabilities has the tasks extension. */
export function declaresTasks(capabilities: Json | undefined): boolean {
  const extensions = capabilities?.["extensions"];
  return isRecord(extensions) && isRecord(extensions[tasksExtension]);
}

/** What the gateway says it can do for a view: the union over its servers; of one not connected yet all is thinkable. */
export function capabilitiesOf(servers: readonly FleetServer[], modern: boolean): Json {
  const has = (name: string): boolean =>
    servers.some(({ capabilities }) => capabilities === undefined || isRecord(capabilities[name]));
  return {
    tools: { listChanged: true },
    ...(has("resources") ? { resources: { subscribe: true, listChanged: true } } : {}),
    ...(has("prompts") ? { prompts: { listChanged: true } } : {}),
    ...(has("completions") ? { completions: {} } : {}),
    ...(has("logging") || modern ? { logging: {} } : {}),
    // A handle of a task is carried, whatever server it comes from later: only what one says is promised.
    ...(modern && servers.some((each) => declaresTasks(each.capabilities))
      ? { extensions: { [tasksExtension]: {} } }
      : {}),
  };
}

/** Whether a consumer with these capabilities answers such a request of a server. */
export function answers(capabilities: Json, method: string, params: unknown): boolean {
  if (method === "sampling/createMessage") return isRecord(capabilities["sampling"]);
  const elicitation = capabilities["elicitation"];
  if (method !== "elicitation/create" || !isRecord(elicitation)) return false;
  const mode = isRecord(params) && params["mode"] === "url" ? "url" : "form";
  // An empty object means form (MCP 2025-11-25, Client Features / Elicitation).
  return isRecord(elicitation[mode]) || (mode === "form" && !isRecord(elicitation["url"]));
}

/** What a modern server is told of a consumer: only what its answers can be carried for. Roots are the consumer's own. */
export function mirrored(capabilities: Json, relay: boolean): Json {
  const { elicitation, sampling, roots } = capabilities;
  return {
    ...(isRecord(elicitation) ? { elicitation } : {}),
    ...(isRecord(sampling) ? { sampling } : {}),
    ...(relay && isRecord(roots) ? { roots } : {}),
  };
}
