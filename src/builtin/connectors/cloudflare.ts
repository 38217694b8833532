import type { Client } from "../contract/client.js";
import * as z from "zod";
import { ServiceError } from "../contract/problem.js";
import { path } from "../client/url.js";
import { cursorField, limitField, next, nextCursor } from "../serve/fields.js";
import { defineTool } from "../serve/tool.js";

const zoneField = z
  .string()
  .regex(/^[0-9a-f]{32}$|^[^\s/]{1,253}\.[^\s/.]{2,63}$/i, "a domain such as example.com, or a zone id")
  .describe("Domain or zone id");
const recordField = z
  .string()
  .regex(/^[0-9a-f]{32}$/i, "a record id from cloudflare_list_dns_records")
  .describe("Record id");
const typeField = z.enum(["A", "AAAA", "CAA", "CNAME", "MX", "NS", "SRV", "TXT"]);
const ttlField = z.int().min(1).max(86_400).describe("Seconds; 1 is automatic, else 60 and more");

const recordSchema = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string().default(""),
  ttl: z.number(),
  proxied: z.boolean().default(false),
  priority: z.number().optional(),
  comment: z.string().nullish(),
});
const recordOutput = recordSchema.extend({
  proxied: z.boolean(),
  content: z.string(),
  comment: z.string().optional(),
});
const paging = z.object({ page: z.number(), total_pages: z.number() }).optional();
const zone = z.object({ id: z.string(), name: z.string(), status: z.string() });

const listZones = defineTool({
  service: "cloudflare",
  name: "cloudflare_list_zones",
  title: "List zones",
  description: "Lists the domains of the account.",
  kind: "read",
  input: z.strictObject({ limit: limitField(50, 50), cursor: cursorField }),
  output: z.object({ zones: z.array(zone), next_cursor: nextCursor }),
  run: async ({ limit, cursor }, client) => {
    const schema = z.object({ result: z.array(zone), result_info: paging });
    const page = await client.get(schema, "/zones", { per_page: limit, page: pageOf(cursor) });
    return { zones: page.result, ...next(cursorOf(page.result_info)) };
  },
});

const listRecords = defineTool({
  service: "cloudflare",
  name: "cloudflare_list_dns_records",
  title: "List DNS records",
  description: "Lists the DNS records of a domain with their ids.",
  kind: "read",
  input: z.strictObject({
    zone: zoneField,
    type: typeField.optional(),
    name: z.string().min(1).max(255).optional().describe("Full name, such as www.example.com"),
    limit: limitField(100, 500),
    cursor: cursorField,
  }),
  output: z.object({ records: z.array(recordOutput), next_cursor: nextCursor }),
  run: async ({ zone: where, type, name, limit, cursor }, client) => {
    const schema = z.object({ result: z.array(recordSchema), result_info: paging });
    const address = path`/zones/${await zoneId(client, where)}/dns_records`;
    const page = await client.get(schema, address, { type, name, per_page: limit, page: pageOf(cursor) });
    return { records: page.result.map(recordOf), ...next(cursorOf(page.result_info)) };
  },
});

const changeable = {
  content: z.string().min(1).max(4096).describe("Address, target or text"),
  ttl: ttlField,
  proxied: z.boolean().describe("Through Cloudflare's proxy (A, AAAA, CNAME)"),
  priority: z.int().min(0).max(65_535).describe("MX and SRV only"),
  comment: z.string().max(100),
};
const one = z.object({ result: recordSchema });

const createRecord = defineTool({
  service: "cloudflare",
  name: "cloudflare_create_dns_record",
  title: "Create a DNS record",
  description: "Adds a DNS record; it takes effect at once.",
  kind: "write",
  input: z.strictObject({
    zone: zoneField,
    type: typeField,
    name: z.string().min(1).max(255).describe("Full name, or @ for the domain itself"),
    content: changeable.content,
    ttl: ttlField.default(1),
    proxied: changeable.proxied.default(false),
    priority: changeable.priority.optional(),
    comment: changeable.comment.optional(),
  }),
  output: recordOutput,
  run: async ({ zone: where, ...record }, client) => {
    const address = path`/zones/${await zoneId(client, where)}/dns_records`;
    return recordOf((await client.post(one, address, record)).result);
  },
});

const updateRecord = defineTool({
  service: "cloudflare",
  name: "cloudflare_update_dns_record",
  title: "Change a DNS record",
  description: "Changes the given fields of a DNS record; it takes effect at once.",
  kind: "write",
  idempotent: true,
  input: z.strictObject({
    zone: zoneField,
    record_id: recordField,
    name: z.string().min(1).max(255).optional(),
    content: changeable.content.optional(),
    ttl: changeable.ttl.optional(),
    proxied: changeable.proxied.optional(),
    priority: changeable.priority.optional(),
    comment: changeable.comment.optional(),
  }),
  output: recordOutput,
  run: async ({ zone: where, record_id, ...changes }, client) => {
    if (Object.values(changes).every((value) => value === undefined))
      throw new ServiceError(
        "invalid",
        "nothing to change: pass content, name, ttl, proxied, priority or comment",
      );
    const address = path`/zones/${await zoneId(client, where)}/dns_records/${record_id}`;
    const { data } = await client.request(one, { method: "PATCH", path: address, json: changes });
    return recordOf(data.result);
  },
});

const deleteRecord = defineTool({
  service: "cloudflare",
  name: "cloudflare_delete_dns_record",
  title: "Delete a DNS record",
  description: "Deletes a DNS record; it takes effect at once and cannot be undone.",
  kind: "write",
  idempotent: true,
  input: z.strictObject({ zone: zoneField, record_id: recordField }),
  output: z.object({ id: z.string().describe("Id of the deleted record") }),
  run: async ({ zone: where, record_id }, client) => {
    const address = path`/zones/${await zoneId(client, where)}/dns_records/${record_id}`;
    const schema = z.object({ result: z.object({ id: z.string() }) });
    return (await client.request(schema, { method: "DELETE", path: address })).data.result;
  },
});

/** The tools of Cloudflare. */
export const cloudflareTools = [listZones, listRecords, createRecord, updateRecord, deleteRecord];

/** Finds a domain's zone; ids pass as they are. */
async function zoneId(client: Client, where: string): Promise<string> {
  if (/^[0-9a-f]{32}$/i.test(where)) return where;
  const { result } = await client.get(z.object({ result: z.array(zone) }), "/zones", {
    name: where.toLowerCase(),
  });
  const [first] = result;
  if (first !== undefined) return first.id;
  throw new ServiceError("not-found", `Cloudflare has no zone ${where} in this account. Nothing was done.`);
}

function recordOf({
  comment,
  priority,
  ...record
}: z.infer<typeof recordSchema>): z.infer<typeof recordOutput> {
  return { ...record, ...(priority !== undefined && { priority }), ...(comment && { comment }) };
}

function pageOf(cursor: string | undefined): number {
  return /^\d{1,5}$/.test(cursor ?? "") ? Number(cursor) : 1;
}

function cursorOf(info: z.infer<typeof paging>): string | undefined {
  return info !== undefined && info.page < info.total_pages ? String(info.page + 1) : undefined;
}
