import type { ClientAuth, DPoPHandle } from "oauth4webapi";
import type { Clock } from "../../clock.js";
import { readTokens, type TokenSet } from "../door/answer.js";
import type { Answer, Ask } from "../door/ask.js";
import type { Identity } from "../discovery/identity.js";
import type { Issuer } from "../discovery/issuer.js";
import { AuthError } from "../door/problem.js";

/** What every request to an authorization server needs. */
export interface Counter {
  readonly ask: Ask;
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly client: Identity;
  readonly signal?: AbortSignal | undefined;
  /** Binds tokens to a key (RFC 9449). */
  readonly dpop?: DPoPHandle | undefined;
}

export type Parameters = Readonly<Record<string, string | undefined>>;

const tokenMs = 20_000;

/**
 * Asks the token endpoint for tokens; parameters that are undefined are left out.
 * AuthError as `readTokens` says, with `perhapsDone` where the request may have been carried out without an answer.
 */
export async function requestTokens(
  counter: Counter,
  grantType: string,
  parameters: Parameters,
): Promise<TokenSet> {
  const { clock, dpop } = counter;
  const ask = (): Promise<Answer> =>
    through(counter, "the token endpoint", tokenMs, (lib, as, auth, options) =>
      lib.genericTokenEndpointRequest(as, as.client, auth, grantType, given(parameters), options),
    );
  const answer = await ask();
  // The first request of a key has no nonce to show yet (RFC 9449, 8).
  const wantsNonce = dpop !== undefined && answer.status === 400 && /"use_dpop_nonce"/.test(answer.text);
  return readTokens(wantsNonce ? await ask() : answer, clock.now());
}

type Library = typeof import("oauth4webapi");
type Server = import("oauth4webapi").AuthorizationServer & {
  readonly client: { readonly client_id: string };
};
type Options = import("oauth4webapi").TokenEndpointRequestOptions;

/** Sends one request of the library through the door, with the client's own authentication; gives the raw answer. */
export async function through(
  counter: Counter,
  what: string,
  timeoutMs: number,
  send: (lib: Library, as: Server, auth: ClientAuth, options: Options) => Promise<Response>,
): Promise<Answer> {
  const { ask, issuer, client, signal, dpop } = counter;
  const lib = await import("oauth4webapi");
  let answer: Answer | undefined;
  const fetch = async (url: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const text = body instanceof URLSearchParams ? body.toString() : "";
    answer = await ask({
      method: method === "GET" ? "GET" : "POST",
      url,
      what,
      headers,
      body: text,
      timeoutMs,
      signal,
    });
    return new Response(null, {
      status: answer.status >= 200 && answer.status <= 599 ? answer.status : 502,
      headers: nonceOf(answer),
    });
  };
  const as = {
    issuer: issuer.issuer,
    token_endpoint: issuer.tokenEndpoint,
    client: { client_id: client.clientId },
    ...(issuer.revocationEndpoint !== undefined && { revocation_endpoint: issuer.revocationEndpoint }),
    ...(issuer.deviceEndpoint !== undefined && { device_authorization_endpoint: issuer.deviceEndpoint }),
  };
  await send(lib, as, await authenticationOf(lib, client), {
    // The door has judged the address already: http is for this machine only.
    [lib.allowInsecureRequests]: true,
    [lib.customFetch]: fetch,
    ...(dpop !== undefined && { DPoP: dpop }),
  });
  if (answer === undefined) throw new AuthError("bad-answer", `${what}: nothing was asked`);
  return answer;
}

interface FetchOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Of the answer's headers the library needs the nonce only; a challenge would hide the error in the body. */
function nonceOf(answer: Answer): Record<string, string> {
  const nonce = answer.headers["dpop-nonce"];
  return typeof nonce === "string" ? { "dpop-nonce": nonce } : {};
}

async function authenticationOf(lib: Library, client: Identity): Promise<ClientAuth> {
  const secret = client.secret ?? "";
  switch (client.authMethod) {
    case "client_secret_basic":
      return (_as, { client_id: id }, _body, headers) => {
        headers.set("authorization", `Basic ${btoa(`${formEncoded(id)}:${formEncoded(secret)}`)}`);
      };
    case "client_secret_post":
      return lib.ClientSecretPost(secret);
    case "private_key_jwt": {
      const { privateKey } = await import("./assertion.js");
      return lib.PrivateKeyJwt(await privateKey(client.key ?? ""));
    }
    default:
      return lib.None();
  }
}

/** RFC 6749, appendix B, and no stricter: many servers do not decode what need not be encoded. */
function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

function given(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined),
  );
}
