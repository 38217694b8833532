import type { ServiceCase } from "../support/case.js";

const id = "59833787-2cf9-4fdf-8782-e53db20768a5";
const inner = "0b1f9c5e-3c1a-4c59-9f5e-1c2d3e4f5a6b";
const page = {
  object: "page",
  id,
  url: "https://www.notion.so/Plan-598337872cf94fdf8782e53db20768a5",
  last_edited_time: "2026-01-02T03:04:00.000Z",
  properties: { Name: { id: "title", type: "title", title: [{ type: "text", plain_text: "Plan" }] } },
};
const text = (plain_text: string) => ({ rich_text: [{ type: "text", plain_text }] });
const found = {
  id,
  kind: "page",
  title: "Plan",
  edited_at: "2026-01-02T03:04:00.000Z",
  url: "https://www.notion.so/Plan-598337872cf94fdf8782e53db20768a5",
};
const piece = (content: string) => [{ type: "text", text: { content } }];

export const notion: ServiceCase = {
  id: "notion",
  name: "Notion",
  signed: ["authorization", "Bearer TOKEN"],
  expired: {
    status: 401,
    body: { object: "error", status: 401, code: "unauthorized", message: "API token TOKEN is invalid." },
  },
  limited: {
    status: 429,
    headers: { "retry-after": "60" },
    body: { object: "error", status: 429, code: "rate_limited", message: "Slow down." },
  },
  wait: "in 60 s",
  tools: [
    {
      tool: "notion_search",
      kind: "read",
      args: { query: "plan", kind: "page", limit: 5 },
      routes: {
        "POST /v1/search": { body: { object: "list", results: [page], next_cursor: "c2", has_more: true } },
      },
      asks: {
        json: {
          query: "plan",
          page_size: 5,
          sort: { direction: "descending", timestamp: "last_edited_time" },
          filter: { property: "object", value: "page" },
        },
      },
      result: { results: [found], next_cursor: "c2" },
      bad: { args: { kind: "workspace" }, says: "kind" },
    },
    {
      tool: "notion_read_page",
      kind: "read",
      args: { id },
      routes: {
        [`GET /v1/pages/${id}`]: { body: page },
        [`GET /v1/blocks/${id}/children`]: {
          body: {
            object: "list",
            next_cursor: null,
            results: [
              { object: "block", id, type: "heading_1", has_children: false, heading_1: text("Goals") },
              {
                object: "block",
                id: inner,
                type: "to_do",
                has_children: true,
                to_do: { ...text("Ship"), checked: true },
              },
              { object: "block", id, type: "child_page", has_children: true, child_page: { title: "Notes" } },
            ],
          },
        },
        [`GET /v1/blocks/${inner}/children`]: {
          body: {
            object: "list",
            next_cursor: null,
            results: [
              { object: "block", id, type: "paragraph", has_children: false, paragraph: text("Soon") },
            ],
          },
        },
      },
      result: { ...found, text: "# Goals\n- [x] Ship\n  Soon\n[child_page: Notes]" },
      bad: { args: { id: "my page" }, says: "id" },
    },
    {
      tool: "notion_append_to_page",
      kind: "write",
      args: { id, text: "## Next\n- one\n```ts\nlet a;\n```" },
      routes: { [`PATCH /v1/blocks/${id}/children`]: { body: { object: "list", results: [{}, {}, {}] } } },
      asks: {
        json: {
          children: [
            { object: "block", type: "heading_2", heading_2: { rich_text: piece("Next") } },
            { object: "block", type: "bulleted_list_item", bulleted_list_item: { rich_text: piece("one") } },
            { object: "block", type: "code", code: { rich_text: piece("let a;"), language: "typescript" } },
          ],
        },
      },
      result: { blocks: 3 },
      bad: { args: { id, text: "x\n".repeat(101) }, says: "100 at a time" },
    },
    {
      tool: "notion_create_page",
      kind: "write",
      args: { parent_id: id, title: "New", text: "Hello" },
      routes: { "POST /v1/pages": { body: { object: "page", id: inner, url: "https://www.notion.so/New" } } },
      asks: {
        json: {
          parent: { page_id: id },
          properties: { title: { title: piece("New") } },
          children: [{ object: "block", type: "paragraph", paragraph: { rich_text: piece("Hello") } }],
        },
      },
      result: { id: inner, url: "https://www.notion.so/New" },
      bad: { args: { parent_id: id }, says: "title" },
    },
  ],
};
