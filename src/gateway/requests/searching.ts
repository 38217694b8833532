import { indexTools } from "../../search/toolIndex.js";
import type { SearchableTool } from "../../search/toolIndex.js";
import type { FleetTool } from "../contract/door.js";
import type { Exchange, Peer } from "../consumers/peer.js";
import { codes, failed, isRecord } from "../contract/protocol.js";
import type { Answer, Json } from "../contract/protocol.js";
import type { Requests } from "./requests.js";
import type { SearchToolName } from "../view/searchTools.js";
import type { View } from "../view/view.js";

/** Answers the tools of search mode. What they call is the real tool: its scope, permission, pin, limits and facts. */
export interface Searching {
  call(
    tool: SearchToolName,
    peer: Peer,
    params: Json,
    exchange: Exchange,
    view: View,
  ): Promise<Answer> | Answer;
}

type Found = SearchableTool & { readonly reads: boolean };
type Find = Awaited<ReturnType<typeof indexTools<Found>>>;

const mostIndexes = 16;
const mostDescribed = 5;
const most = 20;

export function createSearching(requests: Requests): Searching {
  /** By the revision of the tools: consumers that see the same ones share an index. */
  const indexes = new Map<string, Promise<Find>>();

  function indexOf(view: View): Promise<Find> {
    const { toolsRevision: key } = view;
    const index = indexes.get(key) ?? indexTools([...view.tools].map((each) => searchable(each, view)));
    // The last one used is the last one to go.
    indexes.delete(key);
    indexes.set(key, index);
    if (indexes.size > mostIndexes) indexes.delete(indexes.keys().next().value ?? "");
    return index;
  }

  async function search(args: Json, view: View): Promise<string> {
    const { query, limit, server } = args;
    if (typeof query !== "string") return "Give words for what the tool does as query.";
    const only = typeof server === "string" && server !== "" ? server : undefined;
    const found = (await indexOf(view))(query.slice(0, 1000), {
      limit: typeof limit === "number" ? Math.min(most, Math.max(1, Math.floor(limit))) : 8,
      ...(only === undefined ? {} : { server: only }),
    });
    if (found.length === 0)
      return `No tool was found for ${JSON.stringify(query.slice(0, 200))}. Try other words, or search without a server.`;
    return found
      .map(
        ({ name, server: of, reads, description, title }) =>
          `${name} (${of}${reads ? ", only reads" : ""}): ${firstLine(description === "" ? (title ?? "") : description)}`,
      )
      .join("\n");
  }

  async function answer(
    tool: SearchToolName,
    peer: Peer,
    params: Json,
    exchange: Exchange,
    view: View,
  ): Promise<Answer> {
    const { arguments: args = {} } = params;
    if (!isRecord(args)) return failed(codes.invalidParams, "arguments must be an object");
    if (tool === "search_tools") return said(peer, await search(args, view));
    if (tool === "describe_tools") return said(peer, described(args, view));
    const { name, arguments: inner = {} } = args;
    const target = typeof name === "string" ? view.tools.get(name) : undefined;
    if (target === undefined)
      return said(
        peer,
        `There is no tool ${JSON.stringify(String(name).slice(0, 200))}; search_tools finds names.`,
        true,
      );
    if (tool === "read_tool" && !onlyReads(target, view))
      return said(
        peer,
        `${String(name)} is not known to read only, so read_tool does not call it; call_tool does.`,
        true,
      );
    return requests.callTool(peer, { ...params, name, arguments: inner }, exchange, view);
  }

  return { call: answer };
}

function described({ names }: Json, view: View): string {
  const wanted = Array.isArray(names) ? names.slice(0, mostDescribed).map(String) : [];
  if (wanted.length === 0) return "Give the names of the tools to describe, as a list.";
  return JSON.stringify(
    wanted.map((name) => {
      const tool = view.tools.get(name);
      if (tool === undefined)
        return { name: name.slice(0, 200), problem: "there is no such tool; search_tools finds names" };
      const { title, description, inputSchema, outputSchema } = tool.definition;
      return { name, title, description, inputSchema, outputSchema, reads: onlyReads(tool, view) };
    }),
  );
}

function searchable([name, tool]: [string, FleetTool], view: View): Found {
  const { title, description, inputSchema } = tool.definition;
  return {
    name,
    server: tool.server,
    ...(typeof title === "string" ? { title } : {}),
    description: typeof description === "string" ? description : "",
    inputSchema: isRecord(inputSchema) ? inputSchema : {},
    reads: onlyReads(tool, view),
  };
}

/** A claim of an untrusted server does not count. */
function onlyReads({ server, definition }: FleetTool, { servers }: View): boolean {
  const { annotations } = definition;
  const isTrusted = servers.some((each) => each.id === server && each.trusted);
  return isTrusted && isRecord(annotations) && annotations["readOnlyHint"] === true;
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function said(peer: Peer, text: string, isError = false): Answer {
  return {
    result: {
      ...(peer.modern ? { resultType: "complete" } : {}),
      content: [{ type: "text", text }],
      ...(isError ? { isError } : {}),
    },
  };
}
