import type { Clock } from "../clock.js";
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

function unheard(): void {}
