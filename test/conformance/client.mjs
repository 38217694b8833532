// The program that the conformance suite drives: `node client.mjs <url>`, with the scenario in MCP_CONFORMANCE_SCENARIO.
// It uses mcpvisor as any host would, through its public door.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSupervisor } from "mcpvisor";

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const home = mkdtempSync(join(tmpdir(), "mcpvisor-conformance-"));

const supervisor = createSupervisor({
  home,
  mode: "allow-trusted",
  servers: [{ id: "suite", transport: "http", url, timeout: 20 }],
  // The person of these scenarios accepts every form without filling anything in.
  elicit: ({ mode }) => ({ action: mode === "form" ? "accept" : "decline" }),
});

const call = async (tool, args = {}) => {
  const name = supervisor.tools().find((each) => each.tool === tool)?.name ?? `mcp_suite_${tool}`;
  const result = await supervisor.callTool(name, args);
  console.log(`${tool}: ${result.ok ? "ok" : result.failure.message} ${result.text.slice(0, 200)}`);
  return result;
};

/** What each scenario does after connecting and listing; the others do no more than that. */
const steps = {
  tools_call: () => call("add_numbers", { a: 5, b: 3 }),
  "sse-retry": () => call("test_reconnection"),
  "elicitation-sep1034-client-defaults": () => call("test_client_elicitation_defaults"),
  "json-schema-2020-12-preservation": () => {
    const tool = supervisor.tools().find((each) => each.tool === "json_schema_2020_12_tool");
    return call("json_schema_echo", { schema: tool?.inputSchema });
  },
  "request-metadata": () => anyTool(),
  "http-standard-headers": async () => {
    await anyTool();
    const suite = supervisor.server("suite");
    const resources = await suite.listResources();
    for (const each of resources.ok ? resources.value : []) await suite.readResource(each.uri);
    const prompts = await suite.listPrompts();
    for (const each of prompts.ok ? prompts.value : []) await suite.getPrompt(each.name);
  },
  "http-custom-headers": async () => {
    for (const each of context.toolCalls ?? []) await call(each.name, each.arguments);
  },
  "http-invalid-tool-headers": async () => {
    for (const each of supervisor.tools()) await call(each.tool, exampleOf(each.inputSchema));
  },
  "sep-2322-client-request-state": async () => {
    for (const each of ["echo_state", "no_state", "unrelated", "no_result_type"])
      await call(`test_mrtr_${each}`);
  },
};

async function anyTool() {
  for (const each of supervisor.tools().slice(0, 3)) await call(each.tool, exampleOf(each.inputSchema));
}

/** Arguments that fit a schema of plain properties. */
function exampleOf({ properties = {} }) {
  const samples = { string: "text", integer: 1, number: 1, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, samples[type] ?? "text"]),
  );
}

await supervisor.start();
const report = await supervisor.ready({ timeout: "25s" });
for (const each of supervisor.servers())
  console.log(each.state, each.protocolVersion, each.cause.message, each.warnings);
await steps[scenario]?.();
await supervisor.stop();
rmSync(home, { recursive: true, force: true });
process.exitCode = report.ok ? 0 : 1;
