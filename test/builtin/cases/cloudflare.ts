import type { ServiceCase } from "../support/case.js";

const zone = "023e105f4ecef8ad9ca31a8372d0c353";
const rec = "372e67954025e0ba6aaa6d586b9e0b59";
const record = {
  id: rec,
  type: "A",
  name: "www.example.com",
  content: "192.0.2.1",
  proxiable: true,
  proxied: false,
  ttl: 1,
  comment: null,
};
const shown = { id: rec, type: "A", name: "www.example.com", content: "192.0.2.1", ttl: 1, proxied: false };
const fine = { success: true, errors: [], messages: [] };
const zones = { ...fine, result: [{ id: zone, name: "example.com", status: "active", paused: false }] };

export const cloudflare: ServiceCase = {
  id: "cloudflare",
  name: "Cloudflare",
  signed: ["authorization", "Bearer TOKEN"],
  expired: {
    status: 400,
    body: {
      success: false,
      errors: [{ code: 6003, message: "Invalid request headers TOKEN" }],
      messages: [],
    },
  },
  limited: {
    status: 429,
    headers: { "retry-after": "60" },
    body: { success: false, errors: [{ code: 971, message: "Please wait" }], messages: [] },
  },
  wait: "in 60 s",
  tools: [
    {
      tool: "cloudflare_list_zones",
      kind: "read",
      args: { limit: 5 },
      routes: { "GET /zones": { body: { ...zones, result_info: { page: 1, per_page: 5, total_pages: 2 } } } },
      asks: { query: { per_page: "5", page: "1" } },
      result: { zones: [{ id: zone, name: "example.com", status: "active" }], next_cursor: "2" },
      bad: { args: { limit: "many" }, says: "limit" },
    },
    {
      tool: "cloudflare_list_dns_records",
      kind: "read",
      args: { zone: "example.com", type: "A", cursor: "2" },
      routes: {
        "GET /zones": { body: zones },
        [`GET /zones/${zone}/dns_records`]: {
          body: { ...fine, result: [record], result_info: { page: 2, per_page: 100, total_pages: 2 } },
        },
      },
      asks: { query: { type: "A", per_page: "100", page: "2" } },
      result: { records: [shown] },
      bad: { args: { zone: "example.com", type: "SPF" }, says: "type" },
    },
    {
      tool: "cloudflare_create_dns_record",
      kind: "write",
      args: { zone, type: "A", name: "www.example.com", content: "192.0.2.1" },
      routes: { [`POST /zones/${zone}/dns_records`]: { body: { ...fine, result: record } } },
      asks: { json: { type: "A", name: "www.example.com", content: "192.0.2.1", ttl: 1, proxied: false } },
      result: shown,
      bad: { args: { zone, type: "A", name: "www" }, says: "content" },
    },
    {
      tool: "cloudflare_update_dns_record",
      kind: "write",
      args: { zone, record_id: rec, ttl: 300 },
      routes: {
        [`PATCH /zones/${zone}/dns_records/${rec}`]: {
          body: { ...fine, result: { ...record, ttl: 300, comment: "note" } },
        },
      },
      asks: { json: { ttl: 300 } },
      result: { ...shown, ttl: 300, comment: "note" },
      bad: { args: { zone, record_id: rec }, says: "nothing to change" },
    },
    {
      tool: "cloudflare_delete_dns_record",
      kind: "write",
      args: { zone, record_id: rec },
      routes: { [`DELETE /zones/${zone}/dns_records/${rec}`]: { body: { ...fine, result: { id: rec } } } },
      result: { id: rec },
      bad: { args: { zone, record_id: "all" }, says: "record_id" },
    },
  ],
};
