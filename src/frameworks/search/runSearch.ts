import { indexTools } from "../../search/toolIndex.js";
import type { Offer, OfferedTool } from "../contract/offer.js";

interface Indexed {
  readonly of: readonly OfferedTool[];
  readonly find: Awaited<ReturnType<typeof indexTools<Entry>>>;
}

interface Entry {
  readonly name: string;
  readonly server: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Answers `search_tools` and `describe_tools` for one offer; the index is made anew when the list is another one. */
export function searcherOf(offer: Offer) {
  let indexed: Indexed | undefined;

  async function search(args: Readonly<Record<string, unknown>>): Promise<string> {
    const query = typeof args["query"] === "string" ? args["query"] : "";
    const limit =
      typeof args["limit"] === "number" ? Math.min(20, Math.max(1, Math.floor(args["limit"]))) : 8;
    const server = typeof args["server"] === "string" && args["server"] !== "" ? args["server"] : undefined;
    const all = offer.all();
    if (indexed?.of !== all) indexed = { of: all, find: await indexTools(all.flatMap(entryOf)) };
    const found = indexed.find(query, { limit, ...(server !== undefined && { server }) });
    if (found.length === 0) {
      return `No tool was found for ${JSON.stringify(query)}${server === undefined ? "" : ` on server ${server}`}. Try other words, or search without a server.`;
    }
    return found
      .map((each) => `${each.name} (${each.server}): ${firstSentence(each.description || each.title)}`)
      .join("\n");
  }

  function describe(args: Readonly<Record<string, unknown>>): string {
    const names = Array.isArray(args["names"]) ? args["names"].slice(0, 5).map(String) : [];
    if (names.length === 0) return "Give the names of the tools to describe, as a list.";
    const shown = names.map((name) => {
      const tool = offer.find(name);
      if (tool?.descriptor === undefined)
        return { name, problem: "there is no such tool; search_tools finds names" };
      return { name, description: tool.description, parameters: tool.schema.schema };
    });
    return JSON.stringify(shown);
  }

  return { search, describe };
}

function entryOf({ name, descriptor }: OfferedTool): Entry[] {
  if (descriptor === undefined) return [];
  const { server, title, description, inputSchema } = descriptor;
  return [{ name, server, title, description, inputSchema }];
}

function firstSentence(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
