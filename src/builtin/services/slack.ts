import * as z from "zod";
import type { ProblemKind } from "../contract/problem.js";
import type { Service } from "../contract/service.js";

const replySchema = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  needed: z.string().optional(),
});
const whoSchema = z.object({ user: z.string(), team: z.string() });

const kinds: Readonly<Record<string, ProblemKind>> = {
  ratelimited: "rate-limited",
  rate_limited: "rate-limited",
  invalid_auth: "unauthorized",
  not_authed: "unauthorized",
  token_expired: "unauthorized",
  token_revoked: "unauthorized",
  account_inactive: "unauthorized",
  missing_scope: "forbidden",
  no_permission: "forbidden",
  restricted_action: "forbidden",
  not_allowed_token_type: "forbidden",
  not_in_channel: "forbidden",
  channel_not_found: "not-found",
  thread_not_found: "not-found",
  internal_error: "service-down",
  fatal_error: "service-down",
  service_unavailable: "service-down",
};

/** Slack Web API: every answer is a 200 with `ok`, save for rate limits. */
export const slack: Service = {
  id: "slack",
  name: "Slack",
  baseUrl: "https://slack.com/api",
  headers: ({ secrets }) => ({ authorization: `Bearer ${secrets.accessToken}` }),
  complaint: (body, status) => {
    const { success, data } = replySchema.safeParse(body);
    if (!success) return status < 400 ? undefined : { text: "" };
    if (data.ok) return undefined;
    const error = data.error ?? "unknown error";
    const text = data.needed === undefined ? error : `${error}, needed: ${data.needed}`;
    return { text, kind: kinds[error] ?? "invalid" };
  },
  whoAmI: async (client) => {
    const { user, team } = await client.post(whoSchema, "/auth.test", {});
    return `${user} in ${team}`;
  },
  token: {
    page: "https://api.slack.com/apps",
    hint: "a user token (xoxp-…) with channels:read, groups:read, channels:history, groups:history, search:read, chat:write; a bot token works for all but search",
  },
};
