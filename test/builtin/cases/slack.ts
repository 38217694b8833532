import type { ServiceCase } from "../support/case.js";

export const slack: ServiceCase = {
  id: "slack",
  name: "Slack",
  signed: ["authorization", "Bearer TOKEN"],
  expired: { status: 200, body: { ok: false, error: "token_expired", needed: "TOKEN" } },
  limited: { status: 429, headers: { "retry-after": "60" }, body: { ok: false, error: "ratelimited" } },
  wait: "in 60 s",
  tools: [
    {
      tool: "slack_list_channels",
      kind: "read",
      args: { limit: 2, cursor: "dXNlcg==" },
      routes: {
        "GET /conversations.list": {
          body: {
            ok: true,
            channels: [
              {
                id: "C012AB3CD",
                name: "general",
                is_private: false,
                is_member: true,
                topic: { value: "All", creator: "", last_set: 0 },
              },
            ],
            response_metadata: { next_cursor: "dGVhbQ==" },
          },
        },
      },
      asks: {
        query: {
          types: "public_channel,private_channel",
          exclude_archived: "true",
          limit: "2",
          cursor: "dXNlcg==",
        },
      },
      result: {
        channels: [{ id: "C012AB3CD", name: "general", private: false, member: true, topic: "All" }],
        next_cursor: "dGVhbQ==",
      },
      bad: { args: { limit: 0 }, says: "limit" },
    },
    {
      tool: "slack_read_history",
      kind: "read",
      args: { channel: "C012AB3CD", thread_ts: "1722870000.000100" },
      routes: {
        "GET /conversations.replies": {
          body: {
            ok: true,
            messages: [
              { type: "message", user: "U1", text: "Hi", ts: "1722870000.000100", reply_count: 1 },
              { type: "message", bot_id: "B1", text: "Beep", ts: "1722870001.000100" },
            ],
            has_more: false,
            response_metadata: { next_cursor: "" },
          },
        },
      },
      asks: { query: { channel: "C012AB3CD", ts: "1722870000.000100", limit: "30" } },
      result: {
        messages: [
          { ts: "1722870000.000100", user: "U1", text: "Hi", replies: 1 },
          { ts: "1722870001.000100", user: "B1", text: "Beep" },
        ],
      },
      bad: { args: { channel: "#general" }, says: "channel" },
    },
    {
      tool: "slack_search_messages",
      kind: "read",
      args: { query: "deploy", limit: 1 },
      routes: {
        "GET /search.messages": {
          body: {
            ok: true,
            messages: {
              total: 2,
              paging: { count: 1, total: 2, page: 1, pages: 2 },
              matches: [
                {
                  channel: { id: "C012AB3CD", name: "general" },
                  user: "U1",
                  username: "ann",
                  text: "deploy it",
                  ts: "1722870000.000100",
                  permalink: "https://x.slack.com/archives/C012AB3CD/p1",
                },
              ],
            },
          },
        },
      },
      asks: { query: { query: "deploy", count: "1", page: "1" } },
      result: {
        total: 2,
        matches: [
          {
            channel: "general",
            channel_id: "C012AB3CD",
            user: "ann",
            ts: "1722870000.000100",
            text: "deploy it",
            url: "https://x.slack.com/archives/C012AB3CD/p1",
          },
        ],
        next_cursor: "2",
      },
      bad: { args: { query: "" }, says: "query" },
    },
    {
      tool: "slack_post_message",
      kind: "write",
      args: { channel: "C012AB3CD", text: "Done" },
      routes: {
        "POST /chat.postMessage": {
          body: { ok: true, channel: "C012AB3CD", ts: "1722870002.000100", message: {} },
        },
      },
      asks: { json: { channel: "C012AB3CD", text: "Done" } },
      result: { channel: "C012AB3CD", ts: "1722870002.000100" },
      bad: { args: { channel: "C012AB3CD", text: "x", thread_ts: "yesterday" }, says: "thread_ts" },
    },
  ],
};
