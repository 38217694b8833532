import { createHash } from "node:crypto";
import type { Consumer } from "../consumers/consumer.js";
import type { Fleet, FleetServer, FleetTool } from "../contract/door.js";
import type { GatewayLibrary } from "./library.js";
import { offeredName } from "./names.js";
import type { Json } from "../contract/protocol.js";
import { isSearching, searchTexts } from "./searchTools.js";
import { Uris } from "./uris.js";

export type ListName = "tools" | "resources" | "templates" | "prompts";

/** One list of a view: the texts of its items, and a mark that is equal for equal bytes. */
export interface OfferedList {
  readonly items: readonly string[];
  readonly revision: string;
}

export interface PromptTarget {
  readonly server: string;
  readonly prompt: string;
}

/** What one consumer sees at a moment, under the names it sees. */
export interface View {
  readonly servers: readonly FleetServer[];
  /** All that may be called, whether listed or found by search. */
  readonly tools: ReadonlyMap<string, FleetTool>;
  /** Four tools that find and call the others are listed in place of them. */
  readonly searching: boolean;
  /** Equal for equal tools, whether or not they are listed. */
  readonly toolsRevision: string;
  readonly prompts: ReadonlyMap<string, PromptTarget>;
  readonly uris: Uris;
  readonly lists: Readonly<Record<ListName, OfferedList>>;
}

/** `only` shows one server, under untouched names. */
export function buildView(consumer: Consumer, fleet: Fleet, library: GatewayLibrary, only?: string): View {
  const isSeen = (id: string): boolean => consumer.scope.sees(id) && (only === undefined || only === id);
  const servers = fleet.servers().filter((each) => each.enabled && isSeen(each.id));
  const visible = new Set(servers.map((each) => each.id));
  const nameOf = (server: string, name: string): string =>
    only === undefined ? offeredName(server, name, consumer.nameBudget) : name;
  const tools = new Map<string, FleetTool>();
  const toolTexts: string[] = [];
  for (const tool of fleet.tools()) {
    if (!visible.has(tool.server) || !consumer.scope.seesTool(tool.server, tool.tool)) continue;
    const name = nameOf(tool.server, tool.tool);
    if (tools.has(name)) continue;
    tools.set(name, tool);
    toolTexts.push(toolText(tool, name));
  }
  // Trusted servers first, then the order of the configuration: that is who keeps a URI that several have.
  const byTrust = [...servers.filter((each) => each.trusted), ...servers.filter((each) => !each.trusted)];
  const uris = new Uris(byTrust.map(({ id }) => ({ server: id, ...library.of(id) })));
  const prompts = new Map<string, PromptTarget>();
  const promptTexts: string[] = [];
  for (const { id } of servers) {
    for (const prompt of library.of(id).prompts) {
      const raw = String(prompt["name"]);
      const name = nameOf(id, raw);
      if (prompts.has(name)) continue;
      prompts.set(name, { server: id, prompt: raw });
      promptTexts.push(JSON.stringify({ ...prompt, name }));
    }
  }
  const all = listed(toolTexts);
  const searching = only === undefined && isSearching(consumer.config.expose, toolTexts);
  return {
    servers,
    tools,
    searching,
    toolsRevision: all.revision,
    prompts,
    uris,
    lists: {
      tools: searching ? listed(searchTexts(tools.values())) : all,
      resources: listed(uris.resources.map((each) => JSON.stringify(each))),
      templates: listed(uris.templates.map((each) => JSON.stringify(each))),
      prompts: listed(promptTexts),
    },
  };
}

export function listed(items: readonly string[]): OfferedList {
  const digest = createHash("sha256");
  for (const item of items) digest.update(item).update("\n");
  return { items, revision: digest.digest("base64url").slice(0, 16) };
}

const texts = new WeakMap<FleetTool, Map<string, string>>();

/** Tasks of servers are carried out behind the call: nothing of them is offered. */
function toolText(tool: FleetTool, name: string): string {
  const known = texts.get(tool) ?? new Map<string, string>();
  texts.set(tool, known);
  const text = known.get(name) ?? JSON.stringify({ ...without(tool.definition, "execution"), name });
  known.set(name, text);
  return text;
}

function without(item: Json, key: string): Json {
  return Object.fromEntries(Object.entries(item).filter(([each]) => each !== key));
}
