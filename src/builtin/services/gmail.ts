import * as z from "zod";
import { wordsOf } from "./complaint.js";
import type { Service } from "../contract/service.js";

const errorSchema = z.object({
  error: z.object({ errors: z.array(z.object({ reason: z.string() })).optional() }),
});
const profileSchema = z.object({ emailAddress: z.string() });

/** Reads, composes, sends and trashes; cannot delete for good. */
const MODIFY = "https://www.googleapis.com/auth/gmail.modify";

/** Gmail API v1. */
export const gmail: Service = {
  id: "gmail",
  name: "Gmail",
  baseUrl: "https://gmail.googleapis.com",
  headers: ({ secrets }) => ({ authorization: `Bearer ${secrets.accessToken}` }),
  complaint: (body, status) => {
    if (status < 400) return undefined;
    const reasons = errorSchema.safeParse(body).data?.error.errors?.map(({ reason }) => reason) ?? [];
    const limited = reasons.some((reason) => /rateLimitExceeded$/i.test(reason));
    return { text: wordsOf(body), ...(limited && { kind: "rate-limited" }) };
  },
  whoAmI: async (client) => (await client.get(profileSchema, "/gmail/v1/users/me/profile")).emailAddress,
  oauth: {
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    revoke: { kind: "rfc7009", url: "https://oauth2.googleapis.com/revoke" },
    scopes: [MODIFY],
    scopeSeparator: " ",
    // Without both there is no refresh token, and the account would live for an hour.
    extra: { access_type: "offline", prompt: "consent" },
    clientPage: "https://console.cloud.google.com/apis/credentials (type: Desktop app)",
    needsSecret: true,
  },
};
