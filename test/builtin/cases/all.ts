import { cloudflare } from "./cloudflare.js";
import { github } from "./github.js";
import { gmail } from "./gmail.js";
import { linear } from "./linear.js";
import { notion } from "./notion.js";
import { slack } from "./slack.js";
import { supabase } from "./supabase.js";
import { vercel } from "./vercel.js";

/** All eight services with all forty tools. */
export const serviceCases = [gmail, github, slack, notion, linear, vercel, cloudflare, supabase];
