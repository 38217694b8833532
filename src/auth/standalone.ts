import type { Clock } from "../clock.js";
import { loadKeyring } from "../keep/keyring.js";
import { Broker } from "./broker.js";

export type { AuthorizedServer, AuthorizeRequest } from "./contract.js";
export { type AccountOverview, overviewOf } from "./overview.js";
export { authorizedServer } from "./servers.js";

/** Logging in and out without a fleet: a service that runs in the same state folder notices by the account's file. */
export function standaloneBroker(home: string, clock: Clock): Broker {
  return new Broker({
    home,
    clock,
    random: Math.random,
    authorizeWhen: "asked",
    ports: { tell: unheard, learn: unheard, authorized: unheard, loggedOut: unheard },
  });
}

/** Whether there is a keyring that could hold the key of sealed accounts; it is not opened. */
export async function hasKeyring(): Promise<boolean> {
  return (await loadKeyring()) !== undefined;
}

function unheard(): void {}
