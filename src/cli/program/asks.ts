import type { Command } from "commander";
import type { CallFlags } from "../commands/call.js";
import type { PromptsFlags } from "../commands/prompts.js";
import type { ResourcesFlags } from "../commands/resources.js";
import type { ToolsFlags } from "../commands/tools.js";
import type { Choose } from "./choose.js";
import { collect, fleet } from "./flags.js";

/** Commands that ask a fleet for something: tools, call, resources, prompts. */
export function askCommands(program: Command, chosen: Choose): void {
  fleet(program.command("tools"), "list the tools that an agent sees")
    .argument("[name]", "one tool (server.tool or its public name): how it is called")
    .option("--server <id>", "only tools of this server; no other one is started")
    .option("--budget", "what the definitions cost in a model's context, by server")
    .action((name: string | undefined, flags: ToolsFlags) =>
      chosen(async (context) => (await import("../commands/tools.js")).tools(context, flags, name)),
    );
  fleet(program.command("call"), "call one tool and print its result")
    .argument("<name>", "server.tool, or its public name as `mcpvisor tools` prints it")
    .argument(
      "[args...]",
      "name=text, name:=json, name=@file; or one JSON object, @file with one, - for stdin",
    )
    .option("--timeout <duration>", "give up after so long without progress")
    .option(
      "--max-chars <number>",
      "characters to print (default: all into a pipe, 12000 on a screen; 0: all)",
    )
    .option("--out <folder>", "save images and other files of the result there")
    .action((name: string, words: string[], flags: CallFlags) =>
      chosen(async (context) => (await import("../commands/call.js")).call(context, flags, name, words)),
    );
  fleet(program.command("resources"), "list the resources of the servers, or read one")
    .argument("[server]", "only of this server")
    .argument("[uri]", "the resource to read, or the template to complete")
    .option("--complete <NAME=value>", "print what the server suggests for an argument of the template")
    .action((server: string | undefined, uri: string | undefined, flags: ResourcesFlags) =>
      chosen(async (context) =>
        (await import("../commands/resources.js")).resources(context, flags, server, uri),
      ),
    );
  fleet(program.command("prompts"), "list the prompts of the servers, or fill one in")
    .argument("[server]", "only of this server")
    .argument("[name]", "the prompt to fill in")
    .option("--arg <NAME=value>", "argument of the prompt; may be repeated", collect)
    .option("--complete <NAME=value>", "print what the server suggests for this argument")
    .action((server: string | undefined, name: string | undefined, flags: PromptsFlags) =>
      chosen(async (context) =>
        (await import("../commands/prompts.js")).prompts(context, flags, server, name),
      ),
    );
}
