/** So many servers are named in a description. */
const mostNamed = 50;

/** Parameters of `search_tools`. */
export const findSchema = {
  type: "object",
  properties: {
    query: { type: "string", description: "Words for what the tool does." },
    limit: { type: "integer", minimum: 1, maximum: 20, default: 8 },
    server: { type: "string", description: "Only tools of this server." },
  },
  required: ["query"],
};

/** What `describe_tools` is for. */
export const lookText = "Shows description and parameters of up to five tools by their names.";

/** Parameters of `describe_tools`. */
export const lookSchema = {
  type: "object",
  properties: { names: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 5 } },
  required: ["names"],
};

/** What `search_tools` is for, by the server of each tool behind it; undefined for one that has none. */
export function findText(servers: Iterable<string | undefined>): string {
  const counts = new Map<string, number>();
  let all = 0;
  for (const server of servers) {
    all++;
    if (server !== undefined) counts.set(server, (counts.get(server) ?? 0) + 1);
  }
  const names = [...counts.keys()].toSorted();
  const shown = names.slice(0, mostNamed).map((name) => `${name} (${counts.get(name)})`);
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return `Finds tools by words for what they do. There are ${all} tools of these servers: ${shown.join(", ")}${more}.`;
}
