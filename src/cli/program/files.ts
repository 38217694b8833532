import type { Command } from "commander";
import type { CheckFlags } from "../commands/check.js";
import type { AddFlags, EditFlags } from "../commands/edit.js";
import type { ImportFlags } from "../commands/import.js";
import type { Choose } from "./choose.js";
import { collect, editing } from "./flags.js";

/** Commands that read and edit configuration files: check, add, import, remove, enable, disable, show. */
export function fileCommands(program: Command, chosen: Choose): void {
  program
    .command("check")
    .description("read the configuration and explain it, without starting anything")
    .argument("[files...]", "an mcpServers file or a settings file each")
    .option("--home <folder>", "state folder (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .option("--workspace <folder>", "folder of the project file (default: this folder)")
    .option("--json", "data as JSON on stdout")
    .action((files: string[], flags: CheckFlags) =>
      chosen(async (context) => (await import("../commands/check.js")).check(context, flags, files)),
    );
  editing(program.command("add"), "add a server to a file, or change it there")
    .argument("<id>", "id of the server: 1 to 32 characters of a-z, 0-9, - and _")
    .argument("<target...>", "a URL, or a command with its arguments (after --)")
    .option("--env <NAME=value>", "variable of the server; may be repeated", collect)
    .option("--header <Name: value>", "header of requests to the server; may be repeated", collect)
    .option("--auto-approve <tool>", "tool that runs without asking; may be repeated", collect)
    .action((id: string, target: string[], flags: AddFlags) =>
      chosen(async (context) => (await import("../commands/edit.js")).add(context, flags, id, target)),
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
      chosen(async (context) => (await import("../commands/import.js")).importFile(context, flags, file)),
    );
  for (const word of ["remove", "enable", "disable", "show"] as const) {
    editing(program.command(word), `${word} a server of a file`)
      .argument("<id>", "id of the server")
      .action((id: string, flags: EditFlags) =>
        chosen(async (context) => (await import("../commands/edit.js")).edit(context, flags, word, id)),
      );
  }
}
