import { z } from "@hono/zod-openapi";

/** Shapes of accounts and logins as the API tells them; no tokens, codes or states anywhere. */
export const account = z
  .object({
    server: z.string(),
    account: z.string().openapi({ example: "default" }),
    state: z.enum(["logged-in", "logged-out", "ended", "unreadable"]),
    issuer: z.string().optional(),
    scopes: z.array(z.string()).optional(),
    expiresAt: z.number().optional().openapi({
      description: "Epoch ms at which the access token ends; it is renewed by itself.",
    }),
    keptIn: z.enum(["sealed-file", "file"]).optional(),
    problem: z.string().optional().openapi({ description: "Why it is `ended` or `unreadable`." }),
  })
  .openapi("Account");

export const login = z
  .object({
    login: z.string(),
    server: z.string(),
    servers: z.array(z.string()).openapi({ description: "All servers that share the account." }),
    account: z.string(),
    issuer: z.string(),
    scopes: z.array(z.string()),
    newScopes: z.array(z.string()).openapi({ description: "Of `scopes` those not asked for before." }),
    reason: z.enum(["asked", "none", "expired", "revoked", "scope", "client", "issuer-changed"]),
    expiresAt: z.number().openapi({ description: "Epoch ms at which it gives up." }),
    state: z.enum(["waiting", "done", "failed"]),
    failure: z.string().optional().openapi({ description: "Why it came to nothing, in one sentence." }),
  })
  .openapi("Login");

export const begunLogin = login
  .extend({
    url: z.string().optional().openapi({ description: "To be opened in a browser." }),
    userCode: z.string().optional().openapi({ description: "Device flow: what to enter." }),
    verificationUri: z.string().optional().openapi({ description: "Device flow: where to enter it." }),
    verificationUriComplete: z
      .string()
      .optional()
      .openapi({ description: "Device flow: the same address with the code in it." }),
  })
  .openapi("BegunLogin");

export const loginWish = z
  .strictObject({
    scopes: z
      .array(z.string().max(200))
      .max(200)
      .optional()
      .openapi({ description: "Beyond those that the server asks for." }),
    device: z.boolean().optional().openapi({ description: "By a code that is entered on another device." }),
    newClient: z.boolean().optional().openapi({ description: "Register a new client." }),
  })
  .openapi("LoginWish");
