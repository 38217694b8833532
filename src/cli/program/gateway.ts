import { type Command, Option } from "commander";
import type { AttachFlags } from "../commands/attach.js";
import type { ConsumersFlags, ConsumersOrder } from "../commands/consumers.js";
import type { ServeFlags } from "../commands/serve.js";
import { modes } from "../context/options.js";
import type { Choose, Run } from "./choose.js";
import { collect, fleet, service } from "./flags.js";

/** The commands of the gateway: one endpoint for every agent. */
export function gatewayCommands(program: Command, chosen: Choose): void {
  fleet(program.command("serve"), "speak MCP to one agent: all servers as one, through the running service")
    .option("--stdio", "on stdin and stdout")
    .option("--as <name>", "which consumer it is (default: local)")
    .option("--server <id>", "only this server, under untouched names")
    .option("--service", "start the service in the background first, unless it runs")
    .action((flags: ServeFlags) =>
      chosen(async (context) => (await import("../commands/serve.js")).serve(context, flags)),
    );
  program
    .command("attach")
    .description("write mcpvisor into the configuration of an agent's host, so that it uses this fleet")
    .argument(
      "<host>",
      "claude-code, claude-desktop, cursor, vscode, codex, gemini, opencode, zed or windsurf",
    )
    .option("--stdio", "as a command that the host starts (default)")
    .option("--http", "as the address of the running service, with a token of its own")
    .option("--undo", "take it out again: the file is as it was before, but for what was changed since")
    .option("--as <name>", "which consumer the host is (default: the name of the host)")
    .option("--server <id>", "only this server, under untouched names")
    .option("--project", "into the host's file of this folder instead of the user's")
    .option("--file <path>", "into this file of the host")
    .option("--dry-run", "say what would be written, and write nothing")
    .option("--home <folder>", "state folder (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .option("--json", "data as JSON on stdout")
    .action((host: string, flags: AttachFlags) =>
      chosen(async (context) => (await import("../commands/attach.js")).attach(context, flags, host)),
    );
  const all = service(program.command("consumers"), "list the agents that may use the gateway").action(
    (flags: ConsumersFlags) => chosen(consumersCommand(flags, "list")),
  );
  service(all.command("add"), "add a consumer, or change what a known one may do; prints its token once")
    .argument("<name>", "1 to 32 characters of a-z, 0-9, - and _")
    .option("--servers <ids>", "only these servers: a,b,c*")
    .option("--tools <pattern>", "only tools of this pattern, such as files/read*; may be repeated", collect)
    .option("--exclude <pattern>", "no tools of this pattern; may be repeated", collect)
    .addOption(new Option("--mode <mode>", "what may run unasked").choices(modes))
    .addOption(
      new Option("--expose <how>", "all tools, or search over them").choices(["auto", "all", "search"]),
    )
    .option("--expires <duration>", "how long the token is good, such as 30d")
    .action((name: string, _own: unknown, command: Command) =>
      chosen(consumersCommand(command.optsWithGlobals(), "add", name)),
    );
  const orders = {
    show: "print what is known of a consumer",
    rotate: "give a consumer a new token; the old one is void at once",
    remove: "revoke a consumer: its token, sessions and calls end at once",
  } as const;
  for (const order of ["show", "rotate", "remove"] as const)
    service(all.command(order), orders[order])
      .argument("<name>", "name of the consumer")
      .action((name: string, _own: unknown, command: Command) =>
        chosen(consumersCommand(command.optsWithGlobals(), order, name)),
      );
  for (const command of all.commands) command.exitOverride();
}

function consumersCommand(flags: ConsumersFlags, order: ConsumersOrder, name?: string): Run {
  return async (context) => (await import("../commands/consumers.js")).consumers(context, flags, order, name);
}
