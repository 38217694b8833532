import type { Query } from "../contract/client.js";
import * as z from "zod";
import { one } from "../client/retry.js";
import { path, urlOf } from "../client/url.js";
import { limitField, nextCursor } from "../serve/fields.js";
import { defineTool } from "../serve/tool.js";

const nameField = z.string().regex(/^[\p{L}_][\p{L}\p{N}_$ -]{0,62}$/u, "a plain name");
const tableField = nameField.describe("Table or view");
const schemaField = nameField.default("public").describe("Database schema");
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const rowField = z.record(z.string().min(1).max(63), z.unknown());
const rows = z.array(z.record(z.string(), z.unknown()));

/** Parameters of PostgREST itself: as a filter they would filter nothing, and an update would hit every row. */
const reserved = new Set([
  "select",
  "order",
  "limit",
  "offset",
  "columns",
  "on_conflict",
  "and",
  "or",
  "not",
]);

const filterField = z.strictObject({
  column: nameField.refine((name) => !reserved.has(name), "this column name cannot be filtered by"),
  op: z.enum(["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "is", "in"]),
  value: z.union([scalar, z.array(scalar).max(100)]).describe("A list for in; null, true or false for is"),
});
type Filter = z.infer<typeof filterField>;

const listTables = defineTool({
  service: "supabase",
  name: "supabase_list_tables",
  title: "List tables",
  description: "Lists tables and views with their columns and types.",
  kind: "read",
  input: z.strictObject({ schema: schemaField }),
  output: z.object({
    tables: z.array(
      z.object({ name: z.string(), columns: z.array(z.object({ name: z.string(), type: z.string() })) }),
    ),
  }),
  run: async ({ schema }, client) => {
    const column = z.object({ type: z.string().optional(), format: z.string().optional() });
    const definition = z.object({ properties: z.record(z.string(), column).default({}) });
    const { data } = await client.request(z.object({ definitions: z.record(z.string(), definition) }), {
      method: "GET",
      path: "/rest/v1/",
      headers: { "accept-profile": schema },
    });
    const tables = Object.entries(data.definitions).map(([name, { properties }]) => ({
      name,
      columns: Object.entries(properties).map(([key, { format, type }]) => ({
        name: key,
        type: format ?? type ?? "unknown",
      })),
    }));
    return { tables };
  },
});

const select = defineTool({
  service: "supabase",
  name: "supabase_select",
  title: "Read rows",
  description: "Reads rows of a table; filters are joined with and.",
  kind: "read",
  input: z.strictObject({
    table: tableField,
    schema: schemaField,
    columns: z.array(nameField).max(100).default([]).describe("All if left out"),
    filters: z.array(filterField).max(20).default([]),
    order_by: nameField.optional(),
    descending: z.boolean().default(false),
    limit: limitField(50, 1000),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, "next_cursor of an earlier answer")
      .optional(),
  }),
  output: z.object({ rows, next_cursor: nextCursor }),
  run: async ({ table, schema, columns, filters, order_by, descending, limit, cursor }, client) => {
    const offset = Number(cursor ?? 0);
    const { data, headers } = await client.request(rows, {
      method: "GET",
      path: path`/rest/v1/${table}`,
      query: {
        select: columns.length === 0 ? "*" : columns.map(quoted).join(","),
        order: order_by === undefined ? undefined : `${quoted(order_by)}.${descending ? "desc" : "asc"}`,
        limit: limit + 1,
        offset,
        ...filterQuery(filters),
      },
      headers: { "accept-profile": schema },
    });
    // One row more than asked tells whether there is another page, without counting the table.
    const capped =
      data.length < limit + 1 && isShortened(one(headers, "content-range"), offset + data.length);
    const more = data.length > limit || capped;
    const shown = data.slice(0, limit);
    return { rows: shown, ...(more && { next_cursor: String(offset + shown.length) }) };
  },
});

const insert = defineTool({
  service: "supabase",
  name: "supabase_insert",
  title: "Insert rows",
  description: "Inserts rows into a table, all or none, and returns them as written.",
  kind: "write",
  input: z.strictObject({ table: tableField, schema: schemaField, rows: z.array(rowField).min(1).max(500) }),
  output: z.object({ rows }),
  run: async ({ table, schema, rows: values }, client) => {
    const { data } = await client.request(rows, {
      method: "POST",
      path: path`/rest/v1/${table}`,
      json: values,
      headers: { "content-profile": schema, prefer: "return=representation" },
    });
    return { rows: data };
  },
});

const update = defineTool({
  service: "supabase",
  name: "supabase_update",
  title: "Change rows",
  description:
    "Sets columns of all rows that match every filter and returns them. At least one filter is needed.",
  kind: "write",
  idempotent: true,
  input: z.strictObject({
    table: tableField,
    schema: schemaField,
    filters: z.array(filterField).min(1).max(20),
    values: rowField.refine((row) => Object.keys(row).length > 0, "at least one column"),
  }),
  output: z.object({ rows }),
  run: async ({ table, schema, filters, values }, client) => {
    const { data } = await client.request(rows, {
      method: "PATCH",
      path: urlOf("", path`/rest/v1/${table}`, filterQuery(filters)),
      json: values,
      headers: { "content-profile": schema, prefer: "return=representation" },
    });
    return { rows: data };
  },
});

/** The tools of Supabase. */
export const supabaseTools = [listTables, select, insert, update];

/** Filters as PostgREST wants them: `column=op.value`, several of one column one after the other. */
function filterQuery(filters: readonly Filter[]): Query {
  const query: Record<string, string[]> = Object.create(null);
  for (const { column, op, value } of filters) {
    const text =
      Array.isArray(value) || op === "in" ? `(${[value].flat().map(listed).join(",")})` : String(value);
    (query[quoted(column)] ??= []).push(`${op}.${text}`);
  }
  return query;
}

function quoted(name: string): string {
  return /^\w+$/.test(name) ? name : `"${name}"`;
}

function listed(value: z.infer<typeof scalar>): string {
  return typeof value === "string" ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : String(value);
}

/** The project's own row cap may cut a page short; a known total (`0-9/40`) shows it. */
function isShortened(range: string | undefined, read: number): boolean {
  const total = Number(/\/(\d+)$/.exec(range ?? "")?.[1] ?? Number.NaN);
  return Number.isFinite(total) && read < total;
}
