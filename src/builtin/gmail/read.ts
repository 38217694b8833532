import * as z from "zod";
import { path } from "../client/url.js";
import { cursorField, limitField, mapFew, next, nextCursor } from "../serve/fields.js";
import { defineTool } from "../serve/tool.js";
import { messageOutput, messageSchema, readableOf, summaryOf, summaryOutput } from "./message.js";

/** Ids are hexadecimal; anything else never reaches the address. */
export const idField = z.string().regex(/^[\w-]{1,64}$/, "an id as other Gmail tools return it");
const charsField = z
  .int()
  .min(100)
  .max(50_000)
  .default(8_000)
  .describe("Cap of a message's text, in characters");

const found = z.object({
  messages: z.array(z.object({ id: z.string() })).optional(),
  nextPageToken: z.string().optional(),
});

const search = defineTool({
  service: "gmail",
  name: "gmail_search",
  title: "Search mail",
  description:
    "Finds messages, newest first, with Gmail's own search syntax (from:, to:, subject:, is:unread, newer_than:7d, has:attachment, label:). Returns headlines; gmail_read returns the text.",
  kind: "read",
  input: z.strictObject({
    query: z.string().max(1000).default("").describe("Gmail search; empty for all mail"),
    limit: limitField(20, 50),
    cursor: cursorField,
  }),
  output: z.object({ messages: z.array(summaryOutput), next_cursor: nextCursor }),
  run: async ({ query, limit, cursor }, client) => {
    const page = await client.get(found, "/gmail/v1/users/me/messages", {
      q: query === "" ? undefined : query,
      maxResults: limit,
      pageToken: cursor,
    });
    const messages = await mapFew(page.messages ?? [], ({ id }) =>
      client.get(messageSchema, path`/gmail/v1/users/me/messages/${id}`, {
        format: "metadata",
        metadataHeaders: ["From", "To", "Subject", "Date"],
      }),
    );
    return { messages: messages.map(summaryOf), ...next(page.nextPageToken) };
  },
});

const readMessage = defineTool({
  service: "gmail",
  name: "gmail_read",
  title: "Read a message",
  description: "Returns one message: headers, text and the names of its attachments.",
  kind: "read",
  input: z.strictObject({ id: idField.describe("Message id"), max_chars: charsField }),
  output: messageOutput,
  run: async ({ id, max_chars }, client) => {
    const message = await client.get(messageSchema, path`/gmail/v1/users/me/messages/${id}`, {
      format: "full",
    });
    return readableOf(message, max_chars);
  },
});

const readThread = defineTool({
  service: "gmail",
  name: "gmail_read_thread",
  title: "Read a conversation",
  description: "Returns the newest messages of a conversation with their texts, oldest of them first.",
  kind: "read",
  input: z.strictObject({
    id: idField.describe("Thread id"),
    limit: limitField(20, 100),
    max_chars: charsField,
  }),
  output: z.object({
    id: z.string(),
    total: z.number().describe("Messages in the conversation"),
    messages: z.array(messageOutput),
  }),
  run: async ({ id, limit, max_chars }, client) => {
    const schema = z.object({ id: z.string(), messages: z.array(messageSchema).default([]) });
    const thread = await client.get(schema, path`/gmail/v1/users/me/threads/${id}`, { format: "full" });
    const messages = thread.messages.slice(-limit).map((message) => readableOf(message, max_chars));
    return { id: thread.id, total: thread.messages.length, messages };
  },
});

const label = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(["system", "user"]).default("user"),
});

const listLabels = defineTool({
  service: "gmail",
  name: "gmail_list_labels",
  title: "List labels",
  description: "Returns all labels of the mailbox, for label: in searches.",
  kind: "read",
  input: z.strictObject({}),
  output: z.object({ labels: z.array(label) }),
  run: async (_, client) => {
    const { labels } = await client.get(
      z.object({ labels: z.array(label).default([]) }),
      "/gmail/v1/users/me/labels",
    );
    return { labels };
  },
});

/** Tools that look and leave everything as it is. */
export const readTools = [search, readMessage, readThread, listLabels];
