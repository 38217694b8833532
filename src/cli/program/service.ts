import type { Command } from "commander";
import type { ApproveFlags } from "../commands/approve.js";
import type { ControlFlags } from "../commands/control.js";
import type { LogsFlags } from "../commands/service/logs.js";
import type { NetworkFlags } from "../commands/network.js";
import type { OpenFlags } from "../commands/open.js";
import type { StatusFlags } from "../commands/service/status.js";
import type { StopFlags } from "../commands/service/stop.js";
import type { Choose } from "./choose.js";
import { service } from "./flags.js";

/** Commands that speak to a running service: open, status, stop, logs, disconnect, restart, network, approve. */
export function serviceCommands(program: Command, chosen: Choose): void {
  service(
    program.command("open"),
    "print a new one-time link into the dashboard of the running service",
  ).action((flags: OpenFlags) =>
    chosen(async (context) => (await import("../commands/open.js")).open(context, flags)),
  );
  service(program.command("status"), "how the running service is, and what needs attention").action(
    (flags: StatusFlags) =>
      chosen(async (context) => (await import("../commands/service/status.js")).status(context, flags)),
  );
  service(program.command("stop"), "end the running service in good order").action((flags: StopFlags) =>
    chosen(async (context) => (await import("../commands/service/stop.js")).stop(context, flags)),
  );
  program
    .command("logs")
    .description("what the servers of the service wrote to stderr")
    .argument("[server]", "only of this server")
    .option("-f, --follow", "go on with what comes")
    .option("-n, --lines <number>", "how many lines to begin with, 0 for all (default: 100)")
    .option("--home <folder>", "state folder of the service (default: $MCPVISOR_HOME or ~/.mcpvisor)")
    .action((server: string | undefined, flags: LogsFlags) =>
      chosen(async (context) => (await import("../commands/service/logs.js")).logs(context, flags, server)),
    );
  const orders = { disconnect: "stop", restart: "stop and start" } as const;
  for (const order of ["disconnect", "restart"] as const) {
    service(program.command(order), `${orders[order]} one server of the running service`)
      .argument("<id>", "id of the server")
      .action((id: string, flags: ControlFlags) =>
        chosen(async (context) =>
          (await import("../commands/control.js")).control(context, flags, order, id),
        ),
      );
  }
  service(
    program.command("network"),
    "switch the network of the running service on or off; without a word say how it is",
  )
    .argument("[word]", "on or off")
    .action((word: string | undefined, flags: NetworkFlags) =>
      chosen(async (context) => (await import("../commands/network.js")).network(context, flags, word)),
    );
  service(
    program.command("approve"),
    "allow or deny what waits for approval in the running service; list it without an id",
  )
    .argument("[id]", "id of the approval")
    .option("--session", "allow it for the rest of the session")
    .option("--good", "entries of project files: allow this version in later sessions too")
    .option("--deny", "deny it")
    .action((id: string | undefined, flags: ApproveFlags) =>
      chosen(async (context) => (await import("../commands/approve.js")).approve(context, flags, id)),
    );
}
