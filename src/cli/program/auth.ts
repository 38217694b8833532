import type { Command } from "commander";
import type { AuthFlags, LoginFlags, LogoutFlags } from "../commands/login.js";
import type { Choose } from "./choose.js";
import { collect, service } from "./flags.js";

/** Commands about the accounts of remote servers: login, logout, auth. */
export function authCommands(program: Command, chosen: Choose): void {
  files(service(program.command("login"), "log in to the account of a remote server, in a browser"))
    .argument("<id>", "id of the server")
    .option("--account <name>", "as this account, in place of the entry's oauth.account")
    .option("--scope <scope>", "ask for this scope, too; may be repeated", collect)
    .option("--device", "show a code to enter on another device")
    .option("--paste", "read the address of the browser's last page from stdin")
    .option("--no-browser", "print the address and open nothing")
    .option("--new-client", "register a new client although one is kept")
    .option("--timeout <duration>", "how long to wait for the person (default: 5m, 15m with --device)")
    .action((id: string, flags: LoginFlags) =>
      chosen(async (context) => (await import("../commands/login.js")).login(context, flags, id)),
    );
  files(service(program.command("logout"), "revoke and forget the tokens of a remote server's account"))
    .argument("<id>", "id of the server")
    .option("--account <name>", "of this account, in place of the entry's oauth.account")
    .option("--keep-grant", "leave the tokens valid at the authorization server")
    .action((id: string, flags: LogoutFlags) =>
      chosen(async (context) => (await import("../commands/login.js")).logout(context, flags, id)),
    );
  files(service(program.command("auth"), "list the accounts of remote servers and how they are")).action(
    (flags: AuthFlags) =>
      chosen(async (context) => (await import("../commands/login.js")).auth(context, flags)),
  );
}

function files(command: Command): Command {
  return command
    .option("-c, --config <file>", "an mcpServers file or a settings file; may be repeated", collect)
    .option("--workspace <folder>", "folder of the project file (default: this folder)");
}
