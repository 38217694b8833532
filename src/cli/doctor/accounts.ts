import type { ServerStatus } from "../../index.js";
import type { Checkup } from "./checkup.js";
import type { Finding } from "./finding.js";

/** Causes of a server that only a login changes. */
const wanting = new Set(["needs-authorization", "authorization-refused"]);

/** It is parked, and only a login brings it back. */
export function waitsForLogin({ state, lastError, cause }: ServerStatus): boolean {
  return state === "parked" && wanting.has((lastError ?? cause).kind);
}

/** What is wrong with the accounts of remote servers: grants that ended, files that cannot be read, keys out of reach. Pure. */
export function ofAccounts({ accounts, service }: Pick<Checkup, "accounts" | "service">): Finding[] {
  return accounts.list.flatMap(({ server, state, keptIn, problem }): Finding[] => {
    const about = `server "${server}"`;
    const logIn = `mcpvisor login ${server}`;
    if (state === "unreadable") {
      const message = `the file of its account: ${problem ?? "it cannot be read"}`;
      return [{ level: "error", about, message, todo: "correct the file; a service notices by itself" }];
    }
    // A service that runs tells it with the server.
    if (state === "ended" && service.servers.some((each) => each.id === server && waitsForLogin(each)))
      return [];
    if (state === "ended")
      return [{ level: "warning", about, message: `its grant has ended (${problem ?? ""})`, todo: logIn }];
    if (state === "logged-in" && keptIn === "sealed-file" && !accounts.keyring) {
      const message = "its tokens are sealed with a key of the OS keyring, and there is no keyring here";
      return [{ level: "error", about, message, todo: `install @napi-rs/keyring, or ${logIn}` }];
    }
    if (state === "logged-in" && keptIn === "file") {
      const message =
        "its tokens lie in a file that its owner can read: they are sealed where a keyring works";
      return [{ level: "note", about, message, todo: "nothing, if that is wanted" }];
    }
    return [];
  });
}
