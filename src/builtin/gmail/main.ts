#!/usr/bin/env node
import { runServer } from "../serve/run.js";
import { serviceOf } from "../services/table.js";
import { gmailTools } from "./tools.js";

runServer({
  command: "mcpvisor-gmail",
  name: "gmail",
  title: "Gmail",
  purpose: "Searches, reads, drafts, sends and trashes mail of one Gmail account.",
  services: [serviceOf("gmail")],
  tools: gmailTools,
});
