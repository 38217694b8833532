import { Command, InvalidArgumentError, Option } from "commander";
import type { ApproveFlags } from "./commands/approve.js";
import type { CallFlags } from "./commands/call.js";
import type { CheckFlags } from "./commands/check.js";
import type { ControlFlags } from "./commands/control.js";
import type { AddFlags, EditFlags } from "./commands/edit.js";
import type { EventsFlags } from "./commands/events.js";
import type { OpenFlags } from "./commands/open.js";
import type { ToolsFlags } from "./commands/tools.js";
import type { UpFlags } from "./commands/up.js";
import type { Context } from "./context.js";
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
  addCallCommands(program, chosen);
  addServiceCommands(program, chosen);
  addConfigCommands(program, chosen);
  addEditCommands(program, chosen);
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

function addServiceCommands(program: Command, chosen: (run: Run) => void): void {
  service(
    program.command("open"),
    "print a new one-time link into the dashboard of the running service",
  ).action((flags: OpenFlags) =>
    chosen(async (context) => (await import("./commands/open.js")).open(context, flags)),
  );
  const orders = { connect: "start or wake", disconnect: "stop", restart: "stop and start" } as const;
  for (const order of ["connect", "disconnect", "restart"] as const) {
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
  for (const word of ["remove", "enable", "disable", "show"] as const) {
    editing(program.command(word), `${word} a server of a file`)
      .argument("<id>", "id of the server")
      .action((id: string, flags: EditFlags) =>
        chosen(async (context) => (await import("./commands/edit.js")).edit(context, flags, word, id)),
      );
  }
}

function editing(command: Command, description: string): Command {
  return command
    .description(description)
    .option("-c, --config <file>", "the file (default: settings.json of the state folder)")
    .option("--home <folder>", "state folder (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .option("--json", "data as JSON on stdout");
}

function service(command: Command, description: string): Command {
  return command
    .description(description)
    .option("--home <folder>", "state folder of the service (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .option("--json", "data as JSON on stdout");
}

function fleet(command: Command, description: string): Command {
  return command
    .description(description)
    .option("-c, --config <file>", "an mcpServers file or a settings file; may be repeated", collect)
    .addOption(
      new Option("--mode <mode>", "what may run unasked").choices(["ask", "allow-reads", "allow-all"]),
    )
    .option("--home <folder>", "state folder (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .option("--workspace <folder>", "folder of the project file (default: this folder)")
    .addOption(new Option("--naming <style>", "public tool names").choices(["flat", "scoped"]))
    .option("--no-network", "do not connect servers that are reached over HTTP")
    .option("--wait <duration>", "how long servers may take to become ready (default: 30s)")
    .addOption(
      new Option("--log <level>", "log as NDJSON on stderr").choices(["debug", "info", "warn", "error"]),
    )
    .option("--alone", "run a fleet of its own even when a service runs in the state folder")
    .option("--json", "data as JSON on stdout: one document, or one object per line");
}

function collect(value: string, all: readonly string[] = []): string[] {
  if (value === "") throw new InvalidArgumentError("it is empty");
  return [...all, value];
}
