import { z } from "zod";
import { mcpSchema, settingsSchema } from "../src/config/schema.js";

/** The published JSON Schemas by file name, as text. */
export function publishedSchemas(): Record<string, string> {
  return { "settings.json": published(settingsSchema), "mcp.json": published(mcpSchema) };
}

function published(schema: z.ZodType): string {
  // Draft-07 is what editors complete best.
  return `${JSON.stringify(z.toJSONSchema(schema, { io: "input", target: "draft-7" }), undefined, 2)}\n`;
}
