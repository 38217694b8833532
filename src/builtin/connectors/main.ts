#!/usr/bin/env node
import { runServer } from "../serve/run.js";
import { connectorServices } from "../services/table.js";
import { connectorTools } from "./tools.js";

runServer({
  command: "mcpvisor-connectors",
  name: "connectors",
  title: "Connectors",
  purpose:
    "Works with GitHub, Slack, Notion, Linear, Vercel, Cloudflare and Supabase through connected accounts.",
  services: connectorServices,
  tools: connectorTools,
});
