import type { ToolDefinition } from "../serve/tool.js";
import { readTools } from "./read.js";
import { writeTools } from "./write.js";

/** The seven tools of the gmail server. */
export const gmailTools: readonly ToolDefinition[] = [...readTools, ...writeTools];
