import { Command } from "commander";
import { accountCommands } from "./accounts.js";
import { askCommands } from "./asks.js";
import type { Choose } from "./choose.js";
import { fileCommands } from "./files.js";
import { gatewayCommands } from "./gateway.js";
import { runCommands } from "./runs.js";
import { selfCommands } from "./self.js";
import { serviceCommands } from "./service.js";

/** The command line as a tree; the chosen command is handed to `chosen`, and loaded only when it runs. */
export function createProgram(version: string, chosen: Choose): Command {
  const program = new Command("mcpvisor")
    .description("Keeps a fleet of MCP servers alive and offers their tools.")
    .version(version, "-V, --version")
    .showHelpAfterError("(add --help for what is possible)")
    .addHelpText("after", outro);
  for (const add of groups) add(program, chosen);
  // After the commands exist, so that each of them throws instead of ending the process.
  for (const command of [program, ...program.commands]) command.exitOverride();
  return program;
}

/** In the order of the help text. */
const groups = [
  runCommands,
  askCommands,
  serviceCommands,
  gatewayCommands,
  fileCommands,
  accountCommands,
  selfCommands,
];

const outro = `
Without --config these files are read: <home>/settings.json, <home>/mcp.json, <workspace>/.mcp.json.
Exit codes: 0 ok, 1 the call or a server failed, 2 usage or configuration, 128 + n ended by signal n.

Examples:
  $ mcpvisor up --demo
  $ mcpvisor servers --config mcp.json
  $ mcpvisor call mcp_files_read_text_file '{"path": "notes.txt"}' --json
  $ mcpvisor events --json --for 10s`;
