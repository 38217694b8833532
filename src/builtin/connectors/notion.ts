import type { Client } from "../contract/client.js";
import * as z from "zod";
import { ServiceError } from "../contract/problem.js";
import { path } from "../client/url.js";
import { cursorField, cutText, limitField, next, nextCursor } from "../serve/fields.js";
import { defineTool } from "../serve/tool.js";
import { blockSchema, blocksOf, markdownOf, plain, richTextOf } from "./notionText.js";

const idField = z
  .string()
  .regex(/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i, "a Notion id: 32 hexadecimal digits");
const textField = z.string().min(1).max(50_000).describe("Markdown: headings, lists, to-dos, quotes, code");
const texts = z.array(z.object({ plain_text: z.string() }));

const objectSchema = z.looseObject({
  object: z.string(),
  id: z.string(),
  url: z.string(),
  last_edited_time: z.string().optional(),
  /** Databases have a title of their own, pages a property of type title. */
  title: texts.optional(),
  properties: z
    .record(z.string(), z.looseObject({ type: z.string().optional(), title: z.unknown() }))
    .optional(),
});
const found = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  edited_at: z.string(),
  url: z.string(),
});

const search = defineTool({
  service: "notion",
  name: "notion_search",
  title: "Search Notion",
  description: "Finds pages and databases shared with the integration, by title, last edited first.",
  kind: "read",
  input: z.strictObject({
    query: z.string().max(500).default(""),
    kind: z.enum(["page", "database", "all"]).default("all"),
    limit: limitField(20, 100),
    cursor: cursorField,
  }),
  output: z.object({ results: z.array(found), next_cursor: nextCursor }),
  run: async ({ query, kind, limit, cursor }, client) => {
    const schema = z.object({ results: z.array(objectSchema), next_cursor: z.string().nullish() });
    const { data } = await client.request(schema, {
      method: "POST",
      path: "/v1/search",
      safe: true,
      json: {
        query,
        page_size: limit,
        sort: { direction: "descending", timestamp: "last_edited_time" },
        ...(kind !== "all" && { filter: { property: "object", value: kind } }),
        ...(cursor !== undefined && { start_cursor: cursor }),
      },
    });
    return { results: data.results.map(foundOf), ...next(data.next_cursor) };
  },
});

const readPage = defineTool({
  service: "notion",
  name: "notion_read_page",
  title: "Read a page",
  description: "Returns a page's title and its text as Markdown, nested blocks indented.",
  kind: "read",
  input: z.strictObject({
    id: idField.describe("Page id"),
    limit: limitField(100, 100),
    cursor: cursorField,
  }),
  output: found.extend({ text: z.string(), truncated: z.boolean().optional(), next_cursor: nextCursor }),
  run: async ({ id, limit, cursor }, client) => {
    const page = await client.get(objectSchema, path`/v1/pages/${id}`);
    const { lines, cursor: more } = await readBlocks(client, id, { limit, cursor });
    return { ...foundOf(page), ...cutText(lines.join("\n"), 40_000), ...next(more) };
  },
});

const appendText = defineTool({
  service: "notion",
  name: "notion_append_to_page",
  title: "Append to a page",
  description: "Adds text to the end of a page.",
  kind: "write",
  input: z.strictObject({ id: idField.describe("Page id"), text: textField }),
  output: z.object({ blocks: z.number().describe("Blocks added") }),
  run: async ({ id, text }, client) => {
    const { data } = await client.request(z.object({ results: z.array(z.unknown()) }), {
      method: "PATCH",
      path: path`/v1/blocks/${id}/children`,
      json: { children: children(text) },
    });
    return { blocks: data.results.length };
  },
});

const createPage = defineTool({
  service: "notion",
  name: "notion_create_page",
  title: "Create a page",
  description:
    "Creates a page below another page, or a row in a database (title only, with the text as its page).",
  kind: "write",
  input: z.strictObject({
    parent_id: idField.describe("Id of the page or database it goes into"),
    parent_kind: z.enum(["page", "database"]).default("page"),
    title: z.string().min(1).max(1000),
    text: textField.optional(),
  }),
  output: z.object({ id: z.string(), url: z.string() }),
  run: async ({ parent_id, parent_kind, title, text }, client) =>
    client.post(z.object({ id: z.string(), url: z.string() }), "/v1/pages", {
      parent: parent_kind === "page" ? { page_id: parent_id } : { database_id: parent_id },
      // `title` is the id of the title property whatever its name is.
      properties: { title: { title: richTextOf(title) } },
      ...(text !== undefined && { children: children(text) }),
    }),
});

/** The tools of Notion. */
export const notionTools = [search, readPage, appendText, createPage];

/** Nesting deeper than this, and more requests than that, are left out: pages can be endless. */
const MAX_DEPTH = 3;
const MAX_REQUESTS = 20;

async function readBlocks(
  client: Client,
  id: string,
  page: { readonly limit: number; readonly cursor: string | undefined },
  depth = 0,
  budget = { requests: 0 },
): Promise<{ lines: string[]; cursor: string | null | undefined }> {
  budget.requests += 1;
  const schema = z.object({ results: z.array(blockSchema), next_cursor: z.string().nullish() });
  const query = { page_size: page.limit, start_cursor: page.cursor };
  const { results, next_cursor } = await client.get(schema, path`/v1/blocks/${id}/children`, query);
  const lines: string[] = [];
  for (const block of results) {
    const indent = "  ".repeat(depth);
    lines.push(
      ...markdownOf(block)
        .split("\n")
        .map((line) => `${indent}${line}`),
    );
    if (!block.has_children || ["child_page", "child_database"].includes(block.type)) continue;
    if (depth + 1 < MAX_DEPTH && budget.requests < MAX_REQUESTS) {
      const inner = await readBlocks(client, block.id, { limit: 100, cursor: undefined }, depth + 1, budget);
      lines.push(...inner.lines, ...(inner.cursor ? [`${indent}  […]`] : []));
    } else lines.push(`${indent}  […]`);
  }
  return { lines, cursor: next_cursor };
}

function foundOf(object: z.infer<typeof objectSchema>): z.infer<typeof found> {
  const property = Object.values(object.properties ?? {}).find(({ type }) => type === "title");
  const title = object.title ?? texts.safeParse(property?.title).data ?? [];
  const { id, object: kind, url, last_edited_time } = object;
  return { id, kind, title: plain(title), edited_at: last_edited_time ?? "", url };
}

function children(text: string): Record<string, unknown>[] {
  const blocks = blocksOf(text);
  if (blocks.length > 100)
    throw new ServiceError(
      "invalid",
      `the text makes ${blocks.length} blocks; Notion takes 100 at a time, so append it in parts`,
    );
  return blocks;
}
