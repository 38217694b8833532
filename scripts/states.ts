import { createServerMachine } from "../src/machines/server.js";
import { createSupervisorMachine } from "../src/machines/supervisor.js";
import { chartOf } from "./chart.js";
import type { Chart } from "./chart.js";
import { layout } from "./layout.js";
import { svgOf } from "./svg.js";

/** The generated files of docs/, by name: the page, one picture per machine, the layout as data. */
export async function statesDocs(): Promise<Record<string, string>> {
  const server = createServerMachine({ now: () => 0, random: () => 0 });
  const charts = { server: chartOf(server), supervisor: chartOf(createSupervisorMachine(server)) };
  const layouts = { server: await layout(charts.server), supervisor: await layout(charts.supervisor) };
  return {
    "states.md": pageOf(charts),
    "states.svg": svgOf(layouts.server),
    "states-supervisor.svg": svgOf(layouts.supervisor),
    "states.json": `${JSON.stringify(layouts, null, 1)}\n`,
  };
}

function pageOf({ server, supervisor }: { server: Chart; supervisor: Chart }): string {
  return `# States

Generated from the machines in \`src/machines\` by \`npm run docs:states\`; a test fails when this page is stale.

## One server

![States of one server](states.svg)

Green takes calls. Blue rests: no process, no connection. Yellow is on its way from one life to the next. A life is
everything in \`alive\`; the only way out of it is \`closing\`, and nothing new begins before the old life is gone.
Whoever watches sees the names in the table as \`from\` and \`to\` of the fact \`mcp.state\`, each with its cause.

${tablesOf(server)}

## The whole set

![States of the supervisor](states-supervisor.svg)

${tablesOf(supervisor)}
`;
}

function tablesOf({ nodes, edges, inside }: Chart): string {
  return [
    "| state | what it means | runs |",
    "| --- | --- | --- |",
    ...nodes.map((node) => `| \`${node.id}\` | ${cell(node.description)} | ${node.invokes.join(", ")} |`),
    "",
    "### Ways from state to state",
    "",
    "| from | to | when |",
    "| --- | --- | --- |",
    ...edges.map(({ from, to, labels }) => `| \`${from}\` | \`${to}\` | ${labels.map(cell).join("; ")} |`),
    "",
    "### Handled without leaving the state",
    "",
    "| state | when | what is done |",
    "| --- | --- | --- |",
    ...inside.map(
      ({ state, label, actions }) => `| \`${state || "any"}\` | ${cell(label)} | ${cell(actions)} |`,
    ),
  ].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
