import type { ServiceCase } from "../support/case.js";
import type { Seen } from "../support/fake.js";

const me = "/gmail/v1/users/me";
const b64 = (text: string): string => Buffer.from(text).toString("base64url");
const headers = [
  { name: "From", value: "Ann <ann@example.com>" },
  { name: "To", value: "me@example.com" },
  { name: "Subject", value: "Lunch?" },
  { name: "Message-ID", value: "<m1@example.com>" },
  { name: "References", value: "<m0@example.com>" },
];
const full = {
  id: "18f1",
  threadId: "18f0",
  labelIds: ["INBOX", "UNREAD"],
  snippet: "At noon",
  internalDate: "1722870000000",
  payload: {
    mimeType: "multipart/mixed",
    headers,
    parts: [
      {
        mimeType: "multipart/alternative",
        parts: [
          { mimeType: "text/plain", body: { size: 17, data: b64("At noon, at Café?\r\n") } },
          { mimeType: "text/html", body: { size: 20, data: b64("<p>At noon</p>") } },
        ],
      },
      { mimeType: "application/pdf", filename: "menu.pdf", body: { size: 1234, attachmentId: "a1" } },
    ],
  },
};
const readable = {
  id: "18f1",
  thread_id: "18f0",
  from: "Ann <ann@example.com>",
  to: "me@example.com",
  subject: "Lunch?",
  date: "2024-08-05T15:00:00.000Z",
  labels: ["INBOX", "UNREAD"],
  text: "At noon, at Café?",
  attachments: [{ name: "menu.pdf", type: "application/pdf", bytes: 1234 }],
};

/** The mail inside `raw`, headers and decoded body. */
export function mailOf({ json }: Pick<Seen, "json">): { head: string; body: string } {
  const message = (json as { message?: { raw: string } }).message ?? (json as { raw: string });
  const text = Buffer.from(message.raw, "base64url").toString();
  const cut = text.indexOf("\r\n\r\n");
  return { head: text.slice(0, cut), body: Buffer.from(text.slice(cut), "base64").toString() };
}

export const gmail: ServiceCase = {
  id: "gmail",
  name: "Gmail",
  signed: ["authorization", "Bearer TOKEN"],
  expired: {
    status: 401,
    body: { error: { code: 401, message: "Invalid credentials TOKEN", errors: [{ reason: "authError" }] } },
  },
  limited: {
    status: 403,
    headers: { "retry-after": "60" },
    body: { error: { code: 403, message: "Quota exceeded", errors: [{ reason: "userRateLimitExceeded" }] } },
  },
  wait: "in 60 s",
  tools: [
    {
      tool: "gmail_search",
      kind: "read",
      args: { query: "from:ann", limit: 1 },
      routes: {
        [`GET ${me}/messages`]: {
          body: { messages: [{ id: "18f1", threadId: "18f0" }], nextPageToken: "p2", resultSizeEstimate: 2 },
        },
        [`GET ${me}/messages/18f1`]: {
          body: { ...full, payload: { mimeType: "multipart/mixed", headers } },
        },
      },
      asks: { query: { format: "metadata", metadataHeaders: "From|To|Subject|Date" } },
      result: {
        messages: [
          {
            id: "18f1",
            thread_id: "18f0",
            from: "Ann <ann@example.com>",
            to: "me@example.com",
            subject: "Lunch?",
            date: "2024-08-05T15:00:00.000Z",
            labels: ["INBOX", "UNREAD"],
            snippet: "At noon",
          },
        ],
        next_cursor: "p2",
      },
      bad: { args: { query: "x", limit: 500 }, says: "limit" },
    },
    {
      tool: "gmail_read",
      kind: "read",
      args: { id: "18f1" },
      routes: { [`GET ${me}/messages/18f1`]: { body: full } },
      asks: { query: { format: "full" } },
      result: readable,
      bad: { args: { id: "../labels" }, says: "id" },
    },
    {
      tool: "gmail_read_thread",
      kind: "read",
      args: { id: "18f0" },
      routes: { [`GET ${me}/threads/18f0`]: { body: { id: "18f0", messages: [full] } } },
      result: { id: "18f0", total: 1, messages: [readable] },
      bad: { args: {}, says: "id" },
    },
    {
      tool: "gmail_list_labels",
      kind: "read",
      args: {},
      routes: {
        [`GET ${me}/labels`]: { body: { labels: [{ id: "INBOX", name: "INBOX", type: "system" }] } },
      },
      result: { labels: [{ id: "INBOX", name: "INBOX", type: "system" }] },
      bad: { args: { all: true }, says: "all" },
    },
    {
      tool: "gmail_create_draft",
      kind: "write",
      args: { to: ["Bob <bob@example.com>"], subject: "Hi", text: "Hello" },
      routes: {
        [`POST ${me}/drafts`]: { body: { id: "r1", message: { id: "18f2", threadId: "18f2" } } },
      },
      result: { draft_id: "r1", message_id: "18f2", thread_id: "18f2" },
      bad: {
        args: { to: ["bob@example.com, eve@example.com"], subject: "Hi", text: "x" },
        says: "one mail address",
      },
    },
    {
      tool: "gmail_send",
      kind: "write",
      args: { to: ["ann@example.com"], text: "Yes!", reply_to_message_id: "18f1" },
      routes: {
        [`GET ${me}/messages/18f1`]: { body: { ...full, payload: { headers } } },
        [`POST ${me}/messages/send`]: { body: { id: "18f3", threadId: "18f0" } },
      },
      result: { message_id: "18f3", thread_id: "18f0" },
      bad: {
        args: { to: ["a@example.com"], subject: "Hi\r\nBcc: eve@example.com", text: "x" },
        says: "one line",
      },
    },
    {
      tool: "gmail_trash",
      kind: "write",
      args: { id: "18f1" },
      routes: { [`POST ${me}/messages/18f1/trash`]: { body: { id: "18f1", threadId: "18f0" } } },
      result: { message_id: "18f1", thread_id: "18f0" },
      bad: { args: { id: 7 }, says: "id" },
    },
  ],
};
