import { loginByDevice } from "../grants/device.js";
import { identify } from "../discovery/client.js";
import { keepClient, keepGrant } from "./keepGrant.js";
import type { LoginContext } from "./loginTypes.js";
import type { AccountRecord } from "../grants/record.js";

/** Logs in without a browser of this machine: resolves when a person has entered the code elsewhere. */
export async function loginWithoutBrowser(context: LoginContext): Promise<AccountRecord> {
  const { input, found, scopes, newScopes, stored } = context;
  const { ask, clock, words, signal, learn } = input;
  const { issuer } = found;
  const client = await identify({
    ask,
    clock,
    issuer,
    configured: words,
    stored,
    redirectUri: stored?.redirectUri ?? "http://127.0.0.1/callback",
    scopes,
    deviceFlow: true,
    registering: () => input.registering(issuer.issuer),
    signal,
  });
  if (client.via === "registered" && client !== stored) await keepClient(input, found, client);
  const tokens = await loginByDevice({
    counter: { ask, clock, issuer, client, signal },
    scopes,
    resource: found.resource,
    learn,
    show: (device) =>
      input.show({
        issuer: issuer.issuer,
        scopes,
        newScopes,
        device,
        answer: () =>
          Promise.resolve({ ok: false, text: "This login waits for a code that is entered elsewhere." }),
      }),
  });
  return keepGrant(context, client, tokens);
}
