import { type Command, InvalidArgumentError, Option } from "commander";
import { modes } from "../context/options.js";

/** What the commands accept that edit a file. */
export function editing(command: Command, description: string): Command {
  return command
    .description(description)
    .option("-c, --config <file>", "the file (default: settings.json of the state folder)")
    .option("--home <folder>", "state folder (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .option("--json", "data as JSON on stdout");
}

/** What the commands accept that concern one state folder. */
export function service(command: Command, description: string): Command {
  return command
    .description(description)
    .option("--home <folder>", "state folder of the service (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .option("--json", "data as JSON on stdout");
}

/** What the commands accept that run a fleet. */
export function fleet(command: Command, description: string): Command {
  return command
    .description(description)
    .option("-c, --config <file>", "an mcpServers file or a settings file; may be repeated", collect)
    .addOption(new Option("--mode <mode>", "what may run unasked").choices(modes))
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

/** Parses a flag that may be repeated. */
export function collect(value: string, all: readonly string[] = []): string[] {
  if (value === "") throw new InvalidArgumentError("it is empty");
  return [...all, value];
}
