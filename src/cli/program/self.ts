import type { Command } from "commander";
import type { DoctorFlags } from "../commands/doctor.js";
import type { Choose } from "./choose.js";
import { service } from "./flags.js";

/** Commands about mcpvisor itself: doctor, completion. */
export function selfCommands(program: Command, chosen: Choose): void {
  service(program.command("doctor"), "look at configuration, processes and surroundings, and say what to do")
    .option("--workspace <folder>", "folder of the project file (default: this folder)")
    .action((flags: DoctorFlags) =>
      chosen(async (context) => (await import("../commands/doctor.js")).doctor(context, flags)),
    );
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(program.createArgument("<shell>").choices(["bash", "zsh", "fish"]))
    .action((shell: string) =>
      chosen(async (context) =>
        (await import("../commands/completion.js")).completion(context, program, shell),
      ),
    );
}
