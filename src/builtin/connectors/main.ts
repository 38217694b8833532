#!/usr/bin/env node
import { runServer } from "../serve/run.js";
import { connectorServices } from "../services/table.js";
import { connectorTools } from "./tools.js";

runServer({
  command: "mcpvisor-connectors",
  name: "connectors",
  title: "Connectors",
  purpose: "Works with services for code, teams and hosting through accounts that the user has connected.",
  services: connectorServices,
  tools: connectorTools,
});
