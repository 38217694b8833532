import { lookup as systemLookup } from "node:dns";
import type { LookupAddress } from "node:dns";
import { isAllowed, literalAddress, type Place, placeOf, type Reach } from "./address.js";
import { AuthError } from "./problem.js";

type Found = (error: Error | null, addresses: LookupAddress[]) => void;

/** All addresses of a name, as `dns.lookup` with `all` gives them. */
export type Lookup = (hostname: string, options: { readonly all: true }, found: Found) => void;

type Answer = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * A lookup for sockets that refuses names which lead where nothing may be asked. It judges the very addresses that are
 * connected to, so that a name cannot change its mind in between.
 */
export function guardedLookup(reach: Reach, lookup: Lookup = systemLookup) {
  return (hostname: string, options: { readonly all?: boolean }, answer: Answer): void => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error !== null) return answer(error, []);
      const refused = addresses.find(({ address }) => !isAllowed(placeOf(address), reach));
      if (refused !== undefined) return answer(refusal(hostname, placeOf(refused.address)), []);
      const first = addresses[0];
      if (first === undefined) return answer(new Error(`${hostname} has no address`), []);
      if (options.all === true) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };
}

/** Refuses an address that is written out: it is never looked up. */
export function checkLiteral(hostname: string, reach: Reach): void {
  const address = literalAddress(hostname);
  if (address !== undefined && !isAllowed(placeOf(address), reach)) throw refusal(hostname, placeOf(address));
}

/**
 * How far the requests for one server may go: a server on this machine may have its authorization server here and in
 * private networks, one in a private network there; a public one only in public.
 */
export async function reachOf(urls: readonly string[], lookup: Lookup = systemLookup): Promise<Reach> {
  const places = await Promise.all(urls.map((url) => placesOf(new URL(url).hostname, lookup)));
  const all = new Set(places.flat());
  return { loopback: all.has("loopback"), private: all.has("loopback") || all.has("private") };
}

async function placesOf(hostname: string, lookup: Lookup): Promise<Place[]> {
  const literal = literalAddress(hostname);
  if (literal !== undefined) return [placeOf(literal)];
  return new Promise((resolve) => {
    // A name that cannot be found widens nothing; the request itself will say that it cannot be found.
    lookup(hostname, { all: true }, (error, addresses) =>
      resolve(error === null ? addresses.map(({ address }) => placeOf(address)) : []),
    );
  });
}

function refusal(hostname: string, place: Place): AuthError {
  const where = {
    private: "a private network",
    loopback: "this machine",
    never: "a reserved network",
    public: "",
  };
  return new AuthError(
    "blocked-address",
    `${hostname} leads to ${where[place]}; that is not asked on the word of a server from elsewhere`,
  );
}
