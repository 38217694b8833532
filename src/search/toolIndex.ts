import type MiniSearch from "minisearch";

/** What of a tool is searched. */
export interface SearchableTool {
  readonly name: string;
  readonly server: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface SearchOptions {
  /** Default: 8. */
  readonly limit?: number;
  /** Only tools of this server. */
  readonly server?: string;
}

/**
 * Finds tools by words: BM25 over name, title, description and the names of parameters. The best first; equal ones by
 * name. The library is loaded with the first index.
 */
export async function indexTools<T extends SearchableTool>(tools: readonly T[]) {
  const { default: Search } = await import("minisearch");
  const index: MiniSearch = new Search({
    fields: ["name", "title", "description", "parameters"],
    tokenize: words,
    processTerm: (term) => term,
  });
  index.addAll(
    tools.map((tool, id) => ({
      id,
      name: tool.name,
      title: tool.title ?? "",
      description: tool.description,
      parameters: Object.keys(Object(tool.inputSchema["properties"])).join(" "),
    })),
  );
  return (query: string, { limit = 8, server }: SearchOptions = {}): T[] => {
    const found = index.search(query, {
      boost: { name: 3, title: 2, parameters: 0.5 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      ...(server !== undefined && { filter: ({ id }) => tools[id as number]?.server === server }),
    });
    return found
      .map(({ id, score }) => ({ tool: tools[id as number]!, score }))
      .toSorted((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
      .slice(0, limit)
      .map(({ tool }) => tool);
  };
}

/** Words that nearly every description has: they tell no tool from another, and cost a look at all of them. */
const common = new Set(["a", "an", "and", "for", "mcp", "of", "or", "the", "with"]);

/** Words in lower case; `readTextFile` and `read_text_file` are three each. Long endings go, so that plurals meet. */
function words(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !common.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:es|s|ing|ed)$/, "") : word));
}
