import * as z from "zod";
import { wordsOf } from "./complaint.js";
import type { Service } from "../contract/service.js";

const whoSchema = z.object({
  name: z.string().nullish(),
  bot: z.object({ workspace_name: z.string().nullish() }).nullish(),
});

/** Notion API 2022-06-28. */
export const notion: Service = {
  id: "notion",
  name: "Notion",
  baseUrl: "https://api.notion.com",
  headers: ({ secrets }) => ({
    authorization: `Bearer ${secrets.accessToken}`,
    "notion-version": "2022-06-28",
  }),
  complaint: (body, status) => (status < 400 ? undefined : { text: wordsOf(body) }),
  whoAmI: async (client) => {
    const { name, bot } = await client.get(whoSchema, "/v1/users/me");
    return [name ?? "integration", bot?.workspace_name].filter(Boolean).join(" in ");
  },
  token: {
    page: "https://www.notion.so/profile/integrations",
    hint: "the secret of an internal integration (ntn_…); share the pages it may see with it",
  },
};
