import { z } from "@hono/zod-openapi";

const count = z.number().int().positive();
const words = z.array(z.string().min(1).max(200)).max(1000);

/** What a consumer may see and use. */
export const consumerConfig = z
  .strictObject({
    servers: words.optional().openapi({ description: "Ids, `*` for any run of characters. Default: all." }),
    tools: z
      .strictObject({ include: words.optional(), exclude: words.optional() })
      .optional()
      .openapi({ description: "Patterns `server/tool`; excluded wins." }),
    mode: z.enum(["ask", "allow-reads", "allow-trusted", "allow-all"]).optional(),
    expose: z.enum(["auto", "all", "search"]).optional(),
    nameBudget: z.number().int().min(24).max(64).optional(),
    limits: z
      .strictObject({
        inFlight: count.optional(),
        perMinute: count.optional(),
        sessions: count.optional(),
        streams: count.optional(),
        parked: count.optional(),
      })
      .optional(),
  })
  .openapi("ConsumerConfig");

export const consumer = z
  .object({
    name: z.string(),
    config: consumerConfig,
    token: z
      .object({ createdAt: z.number(), expiresAt: z.number().optional(), lastUsedAt: z.number().optional() })
      .optional()
      .openapi({ description: "Epoch ms; never the token itself." }),
    inFlight: z.number(),
    sessions: z.number(),
    streams: z.number(),
    parked: z.number(),
    calls: z.number(),
  })
  .openapi("Consumer");
