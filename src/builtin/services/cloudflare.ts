import * as z from "zod";
import type { ProblemKind } from "../contract/problem.js";
import type { Service } from "../contract/service.js";

const envelopeSchema = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).nullish(),
});
const verifySchema = z.object({ result: z.object({ id: z.string() }) });

/** 6003 and 6111: malformed credentials; 1000 and 9109: refused ones; 81044: no such record. */
const kinds: Readonly<Record<number, ProblemKind>> = {
  1000: "unauthorized",
  6003: "unauthorized",
  6111: "unauthorized",
  9109: "unauthorized",
  81044: "not-found",
};

/** Cloudflare API v4: every answer is an envelope with `success`. */
export const cloudflare: Service = {
  id: "cloudflare",
  name: "Cloudflare",
  baseUrl: "https://api.cloudflare.com/client/v4",
  headers: ({ secrets }) => ({ authorization: `Bearer ${secrets.accessToken}` }),
  complaint: (body, status) => {
    const envelope = envelopeSchema.safeParse(body).data;
    if (envelope === undefined) return status < 400 ? undefined : { text: "" };
    if (envelope.success) return undefined;
    const errors = envelope.errors ?? [];
    const kind = errors.map(({ code }) => kinds[code]).find((each) => each !== undefined);
    const text = errors.map(({ code, message }) => `${code}: ${message}`).join("; ");
    return { text, ...(kind !== undefined && { kind }) };
  },
  whoAmI: async (client) => {
    const { result } = await client.get(verifySchema, "/user/tokens/verify");
    return `token ${result.id}`;
  },
  token: {
    page: "https://dash.cloudflare.com/profile/api-tokens",
    hint: "an API token with Zone: Read and DNS: Edit for the zones you want",
  },
};
