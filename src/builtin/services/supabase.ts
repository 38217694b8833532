import * as z from "zod";
import { wordsOf } from "./complaint.js";
import type { Service } from "../contract/service.js";

/** Supabase data API (PostgREST) of one project; its address is the account's field `url`. */
export const supabase: Service = {
  id: "supabase",
  name: "Supabase",
  headers: ({ secrets }) => ({
    apikey: secrets.accessToken,
    authorization: `Bearer ${secrets.accessToken}`,
  }),
  complaint: (body, status) => (status < 400 ? undefined : { text: wordsOf(body) }),
  whoAmI: async (client) => {
    await client.get(z.unknown(), "/rest/v1/");
    return (await client.account()).fields?.["url"] ?? "project";
  },
  token: {
    page: "https://supabase.com/dashboard/project/_/settings/api-keys",
    hint: "a secret key (sb_secret_… or service_role); it may do everything, row level security does not apply",
  },
  fields: [{ name: "url", prompt: "Project URL (https://<ref>.supabase.co)", required: true }],
};
