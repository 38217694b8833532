import * as z from "zod";
import type { ProblemKind } from "../contract/problem.js";
import { wordsOf } from "./complaint.js";
import type { Service } from "../contract/service.js";

const errorsSchema = z.object({
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z
          .object({ code: z.string().optional(), userPresentableMessage: z.string().optional() })
          .optional(),
      }),
    )
    .min(1),
});
const viewerSchema = z.object({ data: z.object({ viewer: z.object({ email: z.string() }) }) });

const kinds: Readonly<Record<string, ProblemKind>> = {
  RATELIMITED: "rate-limited",
  AUTHENTICATION_ERROR: "unauthorized",
  FORBIDDEN: "forbidden",
  INTERNAL_SERVER_ERROR: "service-down",
};

/** Linear GraphQL API: errors come as 200 or 400 with `errors`, rate limits as 400. */
export const linear: Service = {
  id: "linear",
  name: "Linear",
  baseUrl: "https://api.linear.app",
  // Personal keys go bare, OAuth tokens as bearers.
  headers: ({ secrets }) => ({
    authorization: secrets.accessToken.startsWith("lin_api_")
      ? secrets.accessToken
      : `Bearer ${secrets.accessToken}`,
  }),
  complaint: (body, status) => {
    const first = errorsSchema.safeParse(body).data?.errors[0];
    if (first === undefined) return status < 400 ? undefined : { text: wordsOf(body) };
    const { code, userPresentableMessage } = first.extensions ?? {};
    const missing = /not found|could not find/i.test(first.message);
    const kind = kinds[code ?? ""] ?? (missing ? "not-found" : "invalid");
    return { text: userPresentableMessage ?? first.message, kind };
  },
  whoAmI: async (client) => {
    const { data } = await client.request(viewerSchema, {
      method: "POST",
      path: "/graphql",
      json: { query: "query { viewer { email } }" },
      safe: true,
    });
    return data.data.viewer.email;
  },
  oauth: {
    authorizeUrl: "https://linear.app/oauth/authorize",
    tokenUrl: "https://api.linear.app/oauth/token",
    revoke: { kind: "rfc7009", url: "https://api.linear.app/oauth/revoke" },
    scopes: ["read", "write"],
    scopeSeparator: ",",
    clientPage: "https://linear.app/settings/api/applications/new",
    needsSecret: false,
  },
  token: { page: "https://linear.app/settings/account/security", hint: "a personal API key (lin_api_…)" },
};
