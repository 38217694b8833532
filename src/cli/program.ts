import { Command } from "commander";
import type { AccountFlags, ConnectFlags } from "./commands/accounts.js";
import type { ApproveFlags } from "./commands/approve.js";
import type { CallFlags } from "./commands/call.js";
import type { ChaosFlags } from "./commands/chaos.js";
import type { CheckFlags } from "./commands/check.js";
import type { ControlFlags } from "./commands/control.js";
import type { DoctorFlags } from "./commands/doctor.js";
import type { AddFlags, EditFlags } from "./commands/edit.js";
import type { EventsFlags } from "./commands/events.js";
import type { ImportFlags } from "./commands/import.js";
import type { OpenFlags } from "./commands/open.js";
import type { PromptsFlags } from "./commands/prompts.js";
import type { ResourcesFlags } from "./commands/resources.js";
import type { ToolsFlags } from "./commands/tools.js";
import type { UpFlags } from "./commands/up.js";
import type { Context } from "./context.js";
import { collect, editing, fleet, service } from "./flags.js";
import type { FleetFlags } from "./options.js";

type Run = (context: Context) => Promise<number>;

/** The command line as a tree; the chosen command is handed to `chosen`, and loaded only when it runs. */
export function createProgram(version: string, chosen: (run: Run) => void): Command {
  const program = new Command("mcpvisor")
    .description("Keeps a fleet of MCP servers alive and offers their tools.")
    .version(version, "-V, --version")
    .showHelpAfterError("(add --help for what is possible)")
    .addHelpText("after", outro);
  addFleetCommands(program, chosen);
  addChaosCommand(program, chosen);
  addCallCommands(program, chosen);
  addLibraryCommands(program, chosen);
  addServiceCommands(program, chosen);
  addConfigCommands(program, chosen);
  addEditCommands(program, chosen);
  addAccountCommands(program, chosen);
  addDoctor(program, chosen);
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(program.createArgument("<shell>").choices(["bash", "zsh", "fish"]))
    .action((shell: string) =>
      chosen(async (context) =>
        (await import("./commands/completion.js")).completion(context, program, shell),
      ),
    );
  // After the commands exist, so that each of them throws instead of ending the process.
  for (const command of [program, ...program.commands]) command.exitOverride();
  return program;
}

const outro = `
Without --config these files are read: <home>/settings.json, <home>/mcp.json, <workspace>/.mcp.json.
Exit codes: 0 ok, 1 the call or a server failed, 2 usage or configuration, 128 + n ended by signal n.

Examples:
  $ mcpvisor up --demo
  $ mcpvisor servers --config mcp.json
  $ mcpvisor call mcp_files_read_text_file '{"path": "notes.txt"}' --json
  $ mcpvisor events --json --for 10s`;

function addFleetCommands(program: Command, chosen: (run: Run) => void): void {
  fleet(program.command("up"), "keep the servers up and show how they are")
    .option(
      "--once",
      "end after the servers are ready and one sample call each; exit code 0 only if all worked",
    )
    .option("--demo", "run the embedded fleet of official servers")
    .option("--http", "serve the API and the dashboard on 127.0.0.1 as well")
    .option("--port <number>", "port of the service (default: any free one)")
    .option("--socket <path>", "serve on a unix socket instead of a port")
    .action((flags: UpFlags) =>
      chosen(async (context) => (await import("./commands/up.js")).up(context, flags)),
    );
  fleet(program.command("servers"), "connect every server once and tell how each is").action(
    (flags: FleetFlags) =>
      chosen(async (context) => (await import("./commands/servers.js")).servers(context, flags)),
  );
  fleet(program.command("events"), "print what happens, as it happens")
    .option("--for <duration>", "end after so long, for example 5s")
    .option("--type <type>", "only facts of this type; may be repeated", collect)
    .action((flags: EventsFlags) =>
      chosen(async (context) => (await import("./commands/events.js")).events(context, flags)),
    );
}

function addChaosCommand(program: Command, chosen: (run: Run) => void): void {
  fleet(
    program.command("chaos"),
    "torture the servers marked `chaos: true`, and tell whether all promises held",
  )
    .option("--seed <number>", "what the faults are drawn from (default: 1)")
    .option("--for <duration>", "how long (default: 60s)")
    .option("--simulate <seeds>", "run so many seeds of a simulated fleet instead of real servers")
    .option("--threads <number>", "threads that share the seeds (default: one for each core)")
    .action((flags: ChaosFlags) =>
      chosen(async (context) => (await import("./commands/chaos.js")).chaos(context, flags)),
    );
}

function addCallCommands(program: Command, chosen: (run: Run) => void): void {
  fleet(program.command("tools"), "list the tools that an agent sees")
    .option("--server <id>", "only tools of this server")
    .action((flags: ToolsFlags) =>
      chosen(async (context) => (await import("./commands/tools.js")).tools(context, flags)),
    );
  fleet(program.command("call"), "call one tool and print its result")
    .argument("<name>", "public name of the tool, as `mcpvisor tools` prints it")
    .argument("[json]", "arguments as a JSON object, or - to read them from stdin")
    .option("--timeout <duration>", "give up after so long without progress")
    .action((name: string, json: string | undefined, flags: CallFlags) =>
      chosen(async (context) => (await import("./commands/call.js")).call(context, flags, name, json)),
    );
}

function addLibraryCommands(program: Command, chosen: (run: Run) => void): void {
  fleet(program.command("resources"), "list the resources of the servers, or read one")
    .argument("[server]", "only of this server")
    .argument("[uri]", "the resource to read, or the template to complete")
    .option("--complete <NAME=value>", "print what the server suggests for an argument of the template")
    .action((server: string | undefined, uri: string | undefined, flags: ResourcesFlags) =>
      chosen(async (context) =>
        (await import("./commands/resources.js")).resources(context, flags, server, uri),
      ),
    );
  fleet(program.command("prompts"), "list the prompts of the servers, or fill one in")
    .argument("[server]", "only of this server")
    .argument("[name]", "the prompt to fill in")
    .option("--arg <NAME=value>", "argument of the prompt; may be repeated", collect)
    .option("--complete <NAME=value>", "print what the server suggests for this argument")
    .action((server: string | undefined, name: string | undefined, flags: PromptsFlags) =>
      chosen(async (context) =>
        (await import("./commands/prompts.js")).prompts(context, flags, server, name),
      ),
    );
}

function addServiceCommands(program: Command, chosen: (run: Run) => void): void {
  service(
    program.command("open"),
    "print a new one-time link into the dashboard of the running service",
  ).action((flags: OpenFlags) =>
    chosen(async (context) => (await import("./commands/open.js")).open(context, flags)),
  );
  const orders = { disconnect: "stop", restart: "stop and start" } as const;
  for (const order of ["disconnect", "restart"] as const) {
    service(program.command(order), `${orders[order]} one server of the running service`)
      .argument("<id>", "id of the server")
      .action((id: string, flags: ControlFlags) =>
        chosen(async (context) => (await import("./commands/control.js")).control(context, flags, order, id)),
      );
  }
  service(
    program.command("approve"),
    "allow or deny what waits for approval in the running service; list it without an id",
  )
    .argument("[id]", "id of the approval")
    .option("--session", "allow it for the rest of the session")
    .option("--deny", "deny it")
    .action((id: string | undefined, flags: ApproveFlags) =>
      chosen(async (context) => (await import("./commands/approve.js")).approve(context, flags, id)),
    );
}

function addConfigCommands(program: Command, chosen: (run: Run) => void): void {
  program
    .command("check")
    .description("read the configuration and explain it, without starting anything")
    .argument("[files...]", "an mcpServers file or a settings file each")
    .option("--home <folder>", "state folder (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .option("--workspace <folder>", "folder of the project file (default: this folder)")
    .option("--json", "data as JSON on stdout")
    .action((files: string[], flags: CheckFlags) =>
      chosen(async (context) => (await import("./commands/check.js")).check(context, flags, files)),
    );
}

function addDoctor(program: Command, chosen: (run: Run) => void): void {
  service(program.command("doctor"), "look at configuration, processes and surroundings, and say what to do")
    .option("--workspace <folder>", "folder of the project file (default: this folder)")
    .action((flags: DoctorFlags) =>
      chosen(async (context) => (await import("./commands/doctor.js")).doctor(context, flags)),
    );
}

function addAccountCommands(program: Command, chosen: (run: Run) => void): void {
  service(
    program.command("connect"),
    "start or wake one server of the running service, or connect an account such as gmail or github",
  )
    .argument("<name>", "id of the server, or name of the account's service")
    .option("--account", "connect the account, although a server of this name is enabled")
    .option("--token-stdin", "read the account's token from stdin instead of asking for it")
    .option("--client-id <id>", "connect by OAuth with this client of yours")
    .option("--field <NAME=value>", "what else the account needs: url (supabase), team (vercel)", collect)
    .option("--headless", "no browser can reach this machine: ask for the address of the last page")
    .action((name: string, flags: ConnectFlags) =>
      chosen(async (context) => (await import("./commands/accounts.js")).connect(context, flags, name)),
    );
  service(program.command("accounts"), "list the connected accounts").action((flags: AccountFlags) =>
    chosen(async (context) => (await import("./commands/accounts.js")).accounts(context, flags)),
  );
  service(program.command("disconnect-account"), "forget an account and revoke what was granted")
    .argument("<service>", "the account's service, as `mcpvisor accounts` prints it")
    .action((name: string, flags: AccountFlags) =>
      chosen(async (context) => (await import("./commands/accounts.js")).disconnect(context, flags, name)),
    );
}

function addEditCommands(program: Command, chosen: (run: Run) => void): void {
  editing(program.command("add"), "add a server to a file, or change it there")
    .argument("<id>", "id of the server: 1 to 32 characters of a-z, 0-9, - and _")
    .argument("<target...>", "a URL, or a command with its arguments (after --)")
    .option("--env <NAME=value>", "variable of the server; may be repeated", collect)
    .option("--header <Name: value>", "header of requests to the server; may be repeated", collect)
    .option("--auto-approve <tool>", "tool that runs without asking; may be repeated", collect)
    .action((id: string, target: string[], flags: AddFlags) =>
      chosen(async (context) => (await import("./commands/edit.js")).add(context, flags, id, target)),
    );
  program
    .command("import")
    .description("take over the servers of another program's configuration file")
    .argument("<file>", "its file: JSON, TOML or YAML")
    .option(
      "--host <name>",
      "whose file it is (otherwise told by its shape): claude, vscode, cursor, codex …",
    )
    .option("--to <file>", "settings (settings.json, default) or user (mcp.json) of the state folder")
    .option("--dry-run", "show what would be written, and write nothing")
    .option("--home <folder>", "state folder (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .option("--json", "data as JSON on stdout")
    .action((file: string, flags: ImportFlags) =>
      chosen(async (context) => (await import("./commands/import.js")).importFile(context, flags, file)),
    );
  for (const word of ["remove", "enable", "disable", "show"] as const) {
    editing(program.command(word), `${word} a server of a file`)
      .argument("<id>", "id of the server")
      .action((id: string, flags: EditFlags) =>
        chosen(async (context) => (await import("./commands/edit.js")).edit(context, flags, word, id)),
      );
  }
}
