import type { ServiceCase } from "../support/case.js";

export const supabase: ServiceCase = {
  id: "supabase",
  name: "Supabase",
  signed: ["apikey", "TOKEN"],
  expired: { status: 401, body: { message: "Invalid API key TOKEN", hint: "Double check your API key." } },
  limited: { status: 429, headers: { "retry-after": "60" }, body: { message: "Too many requests" } },
  wait: "in 60 s",
  tools: [
    {
      tool: "supabase_list_tables",
      kind: "read",
      args: {},
      routes: {
        "GET /rest/v1/": {
          body: {
            swagger: "2.0",
            definitions: {
              todos: {
                required: ["id"],
                type: "object",
                properties: {
                  id: { type: "integer", format: "bigint" },
                  done: { type: "boolean", format: "boolean" },
                },
              },
            },
          },
        },
      },
      result: {
        tables: [
          {
            name: "todos",
            columns: [
              { name: "id", type: "bigint" },
              { name: "done", type: "boolean" },
            ],
          },
        ],
      },
      bad: { args: { schema: "a.b" }, says: "schema" },
    },
    {
      tool: "supabase_select",
      kind: "read",
      args: {
        table: "todos",
        columns: ["id", "due date"],
        filters: [
          { column: "id", op: "gt", value: 1 },
          { column: "id", op: "in", value: [2, 3] },
          { column: "name", op: "in", value: ['a,"b'] },
        ],
        order_by: "id",
        descending: true,
        limit: 1,
        cursor: "4",
      },
      routes: { "GET /rest/v1/todos": { body: [{ id: 3 }, { id: 2 }] } },
      asks: {
        query: {
          select: 'id,"due date"',
          order: "id.desc",
          limit: "2",
          offset: "4",
          id: "gt.1|in.(2,3)",
          name: 'in.("a,\\"b")',
        },
      },
      result: { rows: [{ id: 3 }], next_cursor: "5" },
      bad: { args: { table: "todos?select=*" }, says: "table" },
    },
    {
      tool: "supabase_insert",
      kind: "write",
      args: { table: "todos", rows: [{ name: "Milk", tags: ["a"] }] },
      routes: { "POST /rest/v1/todos": { status: 201, body: [{ id: 4, name: "Milk", tags: ["a"] }] } },
      asks: { json: [{ name: "Milk", tags: ["a"] }] },
      result: { rows: [{ id: 4, name: "Milk", tags: ["a"] }] },
      bad: { args: { table: "todos", rows: [] }, says: "rows" },
    },
    {
      tool: "supabase_update",
      kind: "write",
      args: { table: "todos", filters: [{ column: "id", op: "eq", value: 4 }], values: { done: true } },
      routes: { "PATCH /rest/v1/todos": { body: [{ id: 4, done: true }] } },
      asks: { query: { id: "eq.4" }, json: { done: true } },
      result: { rows: [{ id: 4, done: true }] },
      bad: { args: { table: "todos", filters: [], values: { done: true } }, says: "filters" },
    },
  ],
};
