import type { ToolDescriptor } from "../../index.js";
import { rules } from "../schemas/rules.js";
import { schemaFor } from "../schemas/schemaFor.js";
import type { Provider } from "../contract/schema.js";
import { searchTools } from "../search/searchTools.js";
import { areTooMany } from "../../search/threshold.js";
import { select, withinCharacters } from "./select.js";
import { toolNameFor } from "./toolName.js";
import type { Fleet, Offer, OfferedTool, OfferOptions } from "../contract/offer.js";

/** Names of tools that are gone, kept for messages. */
const mostGone = 1000;

interface Snapshot {
  readonly all: readonly OfferedTool[];
  readonly list: readonly OfferedTool[];
  readonly byName: ReadonlyMap<string, OfferedTool>;
  readonly searching: boolean;
}

/** Follows the tools of a fleet for one provider. Nothing is read from the fleet before the first look. */
export function offerOf(fleet: Fleet, provider: Provider, options: OfferOptions = {}): Offer {
  const described = new WeakMap<ToolDescriptor, Omit<OfferedTool, "name">>();
  const gone = new Map<string, string>();
  let seen: readonly ToolDescriptor[] | undefined;
  let now: Snapshot | undefined;

  function look(): Snapshot {
    const tools = fleet.tools();
    if (now !== undefined && tools === seen) return now;
    const next = snapshot(tools);
    for (const [name, tool] of now?.byName ?? []) {
      if (!next.byName.has(name) && gone.size < mostGone) gone.set(name, tool.descriptor?.server ?? "");
    }
    for (const name of next.byName.keys()) gone.delete(name);
    seen = tools;
    return (now = next);
  }

  function snapshot(tools: readonly ToolDescriptor[]): Snapshot {
    const taken = new Set<string>();
    const offered = select(tools, options).map((descriptor) => {
      const name = toolNameFor(descriptor.name, rules[provider].toolName.is, taken);
      taken.add(name);
      return { name, ...describe(descriptor) };
    });
    const all = withinCharacters(offered, options);
    const total = offered.reduce((sum, tool) => sum + tool.characters, 0);
    const searching =
      options.search === true || (options.search === "auto" && areTooMany(offered.length, total));
    // Whatever is found by a search may be called, however many characters all of them would take.
    const reachable = searching ? offered : all;
    const list = searching ? searchTools(provider, offered) : all;
    const byName = new Map([...reachable, ...list].map((tool) => [tool.name, tool]));
    return { all: reachable, list, byName, searching };
  }

  function describe(descriptor: ToolDescriptor): Omit<OfferedTool, "name"> {
    const known = described.get(descriptor);
    if (known !== undefined) return known;
    const schema = schemaFor(provider, descriptor.inputSchema);
    for (const warning of schema.warnings) options.onWarning?.(descriptor.name, warning);
    const most = rules[provider].description.is;
    const whole = descriptor.description || descriptor.title;
    const description = whole.length > most ? `${whole.slice(0, most - 1)}…` : whole;
    const characters =
      descriptor.name.length + description.length + JSON.stringify(schema.schema).length + 50;
    const made = { description, schema, descriptor, characters };
    described.set(descriptor, made);
    return made;
  }

  return {
    list: () => look().list,
    find: (name) => look().byName.get(name),
    gone: (name) => (look(), gone.get(name)),
    searching: () => look().searching,
    all: () => look().all,
  };
}
