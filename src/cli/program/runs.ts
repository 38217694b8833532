import type { Command } from "commander";
import type { ChaosFlags } from "../commands/chaos.js";
import type { EventsFlags } from "../commands/events.js";
import type { UpFlags } from "../commands/up.js";
import type { FleetFlags } from "../context/options.js";
import type { Choose } from "./choose.js";
import { collect, fleet } from "./flags.js";

/** Commands that run a fleet: up, servers, events, chaos. */
export function runCommands(program: Command, chosen: Choose): void {
  fleet(program.command("up"), "keep the servers up and show how they are")
    .option(
      "--once",
      "end after the servers are ready and one sample call each; exit code 0 only if all worked",
    )
    .option("--demo", "run the embedded fleet of official servers")
    .option("--http", "serve the API and the dashboard on 127.0.0.1 as well")
    .option("-d, --detach", "serve in the background: print the link and end")
    .option("--port <number>", "port of the service (default: 7420, another one where that is taken)")
    .option("--socket <path>", "serve on a unix socket instead of a port")
    .action((flags: UpFlags) =>
      chosen(async (context) => (await import("../commands/up.js")).up(context, flags)),
    );
  fleet(
    program.command("servers").aliases(["ls", "ps", "list"]),
    "connect every server once and tell how each is",
  ).action((flags: FleetFlags) =>
    chosen(async (context) => (await import("../commands/servers.js")).servers(context, flags)),
  );
  fleet(program.command("events"), "print what happens, as it happens")
    .option("--for <duration>", "end after so long, for example 5s")
    .option("--type <type>", "only facts of this type; may be repeated", collect)
    .option("--consumer <name>", "only what this consumer of the gateway calls")
    .action((flags: EventsFlags) =>
      chosen(async (context) => (await import("../commands/events.js")).events(context, flags)),
    );
  fleet(
    program.command("chaos"),
    "torture the servers marked `chaos: true`, and tell whether all promises held",
  )
    .option("--seed <number>", "what the faults are drawn from (default: 1)")
    .option("--for <duration>", "how long (default: 60s)")
    .option("--simulate <seeds>", "run so many seeds of a simulated fleet instead of real servers")
    .option("--threads <number>", "threads that share the seeds (default: one for each core)")
    .action((flags: ChaosFlags) =>
      chosen(async (context) => (await import("../commands/chaos.js")).chaos(context, flags)),
    );
}
