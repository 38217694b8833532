import * as z from "zod";
import { wordsOf } from "./complaint.js";
import type { Service } from "../contract/service.js";

const userSchema = z.object({ login: z.string() });
const errorsSchema = z.object({
  errors: z.array(
    z.object({ field: z.string().optional(), message: z.string().optional(), code: z.string() }),
  ),
});

/** GitHub REST API 2022-11-28; GitHub Enterprise through `--github-url https://host/api/v3`. */
export const github: Service = {
  id: "github",
  name: "GitHub",
  baseUrl: "https://api.github.com",
  headers: ({ secrets }) => ({
    authorization: `Bearer ${secrets.accessToken}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
  }),
  complaint: (body, status) => {
    if (status < 400) return undefined;
    const fields = errorsSchema.safeParse(body).data?.errors ?? [];
    const about = fields.map(({ field, message, code }) => message ?? `${field ?? "field"} ${code}`);
    const limited = status === 403 && /rate limit/i.test(wordsOf(body));
    return { text: [wordsOf(body), ...about].join("; "), ...(limited && { kind: "rate-limited" }) };
  },
  whoAmI: async (client) => (await client.get(userSchema, "/user")).login,
  oauth: {
    authorizeUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    revoke: { kind: "github", url: "https://api.github.com/applications" },
    scopes: ["repo"],
    scopeSeparator: " ",
    clientPage: "https://github.com/settings/developers",
    needsSecret: true,
  },
  token: {
    page: "https://github.com/settings/personal-access-tokens",
    hint: "a fine-grained token with read access to contents, and read and write access to issues and pull requests",
  },
};
