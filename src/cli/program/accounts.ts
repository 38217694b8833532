import type { Command } from "commander";
import type { AccountFlags, ConnectFlags } from "../commands/accounts.js";
import type { Choose } from "./choose.js";
import { collect, service } from "./flags.js";

/** Commands about accounts of services: connect, accounts, disconnect-account. */
export function accountCommands(program: Command, chosen: Choose): void {
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
      chosen(async (context) => (await import("../commands/accounts.js")).connect(context, flags, name)),
    );
  service(program.command("accounts"), "list the connected accounts").action((flags: AccountFlags) =>
    chosen(async (context) => (await import("../commands/accounts.js")).accounts(context, flags)),
  );
  service(program.command("disconnect-account"), "forget an account and revoke what was granted")
    .argument("<service>", "the account's service, as `mcpvisor accounts` prints it")
    .action((name: string, flags: AccountFlags) =>
      chosen(async (context) => (await import("../commands/accounts.js")).disconnect(context, flags, name)),
    );
}
