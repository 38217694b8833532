import * as z from "zod";
import { wordsOf } from "./complaint.js";
import type { Service } from "../contract/service.js";

const userSchema = z.object({ user: z.object({ username: z.string() }) });

/** Vercel REST API; requests carry the account's field `team` as teamId. */
export const vercel: Service = {
  id: "vercel",
  name: "Vercel",
  baseUrl: "https://api.vercel.com",
  headers: ({ secrets }) => ({ authorization: `Bearer ${secrets.accessToken}` }),
  // An invalid token is a 403 here, as lacking rights are; only the flag tells them apart.
  complaint: (body, status) => {
    if (status < 400) return undefined;
    const invalid = z.object({ error: z.object({ invalidToken: z.literal(true) }) }).safeParse(body).success;
    return { text: wordsOf(body), ...(invalid && { kind: "unauthorized" }) };
  },
  whoAmI: async (client) => (await client.get(userSchema, "/v2/user")).user.username,
  token: {
    page: "https://vercel.com/account/settings/tokens",
    hint: "an access token with the scope of your team",
  },
  fields: [{ name: "team", prompt: "Team id (team_…), empty for your own projects", required: false }],
};
