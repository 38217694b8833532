import * as z from "zod";
import { cursorField, cutText, limitField, next, nextCursor } from "../serve/fields.js";
import { defineTool } from "../serve/tool.js";

const channelField = z
  .string()
  .regex(/^[A-Z0-9]{2,20}$/, "an id such as C012AB3CD, from slack_list_channels")
  .describe("Channel id");
const tsField = z.string().regex(/^\d{1,12}\.\d{1,8}$/, "a timestamp such as 1722870000.000100");
const meta = z.object({ next_cursor: z.string().optional() }).optional();

const channelSchema = z.object({
  id: z.string(),
  name: z.string(),
  is_private: z.boolean().default(false),
  is_member: z.boolean().default(false),
  topic: z.object({ value: z.string() }).optional(),
});

const listChannels = defineTool({
  service: "slack",
  name: "slack_list_channels",
  title: "List channels",
  description: "Lists channels with their ids. A page may be shorter than the limit although there is more.",
  kind: "read",
  input: z.strictObject({ limit: limitField(100, 200), cursor: cursorField }),
  output: z.object({
    channels: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        private: z.boolean(),
        member: z.boolean(),
        topic: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  run: async ({ limit, cursor }, client) => {
    const schema = z.object({ channels: z.array(channelSchema), response_metadata: meta });
    const page = await client.get(schema, "/conversations.list", {
      types: "public_channel,private_channel",
      exclude_archived: true,
      limit,
      cursor,
    });
    const channels = page.channels.map(({ id, name, is_private, is_member, topic }) => ({
      id,
      name,
      private: is_private,
      member: is_member,
      topic: topic?.value ?? "",
    }));
    return { channels, ...next(page.response_metadata?.next_cursor) };
  },
});

const messageSchema = z.object({
  ts: z.string(),
  user: z.string().optional(),
  username: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().default(""),
  reply_count: z.number().optional(),
});

const readHistory = defineTool({
  service: "slack",
  name: "slack_read_history",
  title: "Read a channel or thread",
  description: "Returns messages of a channel, newest first, or of one thread, oldest first.",
  kind: "read",
  input: z.strictObject({
    channel: channelField,
    thread_ts: tsField.optional().describe("ts of a thread's first message, to read the thread"),
    limit: limitField(30, 100),
    cursor: cursorField,
  }),
  output: z.object({
    messages: z.array(
      z.object({ ts: z.string(), user: z.string(), text: z.string(), replies: z.number().optional() }),
    ),
    next_cursor: nextCursor,
  }),
  run: async ({ channel, thread_ts, limit, cursor }, client) => {
    const method = thread_ts === undefined ? "/conversations.history" : "/conversations.replies";
    const schema = z.object({ messages: z.array(messageSchema), response_metadata: meta });
    const page = await client.get(schema, method, { channel, ts: thread_ts, limit, cursor });
    const messages = page.messages.map(({ ts, user, username, bot_id, text, reply_count }) => ({
      ts,
      user: user ?? username ?? bot_id ?? "",
      text: cutText(text, 4_000).text,
      ...(reply_count !== undefined && { replies: reply_count }),
    }));
    return { messages, ...next(page.response_metadata?.next_cursor) };
  },
});

const matchSchema = messageSchema.extend({
  channel: z.object({ id: z.string(), name: z.string() }),
  permalink: z.string(),
});

const search = defineTool({
  service: "slack",
  name: "slack_search_messages",
  title: "Search messages",
  description:
    "Searches all messages the account may see with Slack's syntax (from:@name, in:#channel, before:). Needs a user token.",
  kind: "read",
  input: z.strictObject({
    query: z.string().min(1).max(500),
    limit: limitField(20, 100),
    cursor: cursorField,
  }),
  output: z.object({
    total: z.number(),
    matches: z.array(
      z.object({
        channel: z.string(),
        channel_id: z.string(),
        user: z.string(),
        ts: z.string(),
        text: z.string(),
        url: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  run: async ({ query, limit, cursor }, client) => {
    const paging = z.object({ total: z.number(), page: z.number(), pages: z.number() });
    const schema = z.object({ messages: z.object({ matches: z.array(matchSchema), paging }) });
    const page = /^\d{1,3}$/.test(cursor ?? "") ? Number(cursor) : 1;
    const { messages } = await client.get(schema, "/search.messages", { query, count: limit, page });
    const matches = messages.matches.map(({ channel, user, username, ts, text, permalink }) => ({
      channel: channel.name,
      channel_id: channel.id,
      user: username ?? user ?? "",
      ts,
      text: cutText(text, 4_000).text,
      url: permalink,
    }));
    const more = messages.paging.page < messages.paging.pages ? String(messages.paging.page + 1) : undefined;
    return { total: messages.paging.total, matches, ...next(more) };
  },
});

const postMessage = defineTool({
  service: "slack",
  name: "slack_post_message",
  title: "Post a message",
  description: "Posts a message into a channel or thread as the connected account. Everyone there sees it.",
  kind: "write",
  input: z.strictObject({
    channel: channelField,
    text: z.string().min(1).max(12_000).describe("Slack mrkdwn"),
    thread_ts: tsField.optional().describe("ts of the message to answer in a thread"),
  }),
  output: z.object({ channel: z.string(), ts: z.string() }),
  run: async ({ channel, text, thread_ts }, client) =>
    client.post(z.object({ channel: z.string(), ts: z.string() }), "/chat.postMessage", {
      channel,
      text,
      thread_ts,
    }),
});

/** The tools of Slack. */
export const slackTools = [listChannels, readHistory, search, postMessage];
