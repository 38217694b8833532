import { Command } from "commander";
import { accountCommands } from "./accounts.js";
import { askCommands } from "./asks.js";
import { authCommands } from "./auth.js";
import { homeOf } from "../context/home.js";
import type { Choose, Run } from "./choose.js";
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
  let home: string | undefined;
  program.hook("preAction", (_, command) => {
    home = command.name() === "doctor" ? undefined : ((command.optsWithGlobals()["home"] as string) ?? "");
  });
  const guarded: Choose = (run) => chosen(home === undefined ? run : inOwnHome(home, run));
  for (const [title, ...members] of groups) {
    program.commandsGroup(`${title}:`);
    for (const add of members) add(program, guarded);
  }
  // After the commands exist, so that each of them throws instead of ending the process.
  for (const command of [program, ...program.commands]) command.exitOverride();
  return program;
}

/** Every command that has a state folder refuses one that others can write, before it reads anything of it; `doctor` tells. */
function inOwnHome(home: string, run: Run): Run {
  return async (context) => {
    const { judgeHome } = await import("../../config/index.js");
    await judgeHome(homeOf(context, home === "" ? {} : { home }));
    return run(context);
  };
}

/** In the order of the help text. */
const groups: readonly [title: string, ...members: ((program: Command, chosen: Choose) => void)[]][] = [
  ["Run a fleet", runCommands],
  ["Use its tools", askCommands],
  ["The running service", serviceCommands],
  ["One endpoint for agents", gatewayCommands],
  ["Configuration", fileCommands],
  ["Accounts", authCommands, accountCommands],
  ["mcpvisor itself", selfCommands],
];

const outro = `
Without --config these files are read: <home>/settings.json, <home>/mcp.json, <workspace>/.mcp.json.
Exit codes: 0 ok, 1 the call or a server failed, 2 usage or configuration, 128 + n ended by signal n.

Examples:
  $ mcpvisor up --demo
  $ mcpvisor servers --config mcp.json
  $ mcpvisor call files.read_text_file path=notes.txt
  $ mcpvisor up -d && mcpvisor status
  $ mcpvisor events --json --for 10s`;
