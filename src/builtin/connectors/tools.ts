import type { ToolDefinition } from "../serve/tool.js";
import { cloudflareTools } from "./cloudflare.js";
import { githubCodeTools } from "./githubCode.js";
import { githubIssueTools } from "./githubIssues.js";
import { githubPullTools } from "./githubPulls.js";
import { linearTools } from "./linear.js";
import { notionTools } from "./notion.js";
import { slackTools } from "./slack.js";
import { supabaseTools } from "./supabase.js";
import { vercelTools } from "./vercel.js";

/** The 33 tools of the connectors server. */
export const connectorTools: readonly ToolDefinition[] = [
  ...githubCodeTools,
  ...githubIssueTools,
  ...githubPullTools,
  ...slackTools,
  ...notionTools,
  ...linearTools,
  ...vercelTools,
  ...cloudflareTools,
  ...supabaseTools,
];
