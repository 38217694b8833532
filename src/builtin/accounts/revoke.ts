import { exchange } from "../client/http.js";
import type { Clock } from "../contract/clock.js";
import type { OAuthOffer } from "../contract/service.js";
import type { Account } from "../contract/account.js";

/** Ends an OAuth grant at its service; false when the service did not take it. Never throws. */
export async function revoke(account: Account, offer: OAuthOffer, clock: Clock): Promise<boolean> {
  const url = account.revokeUrl ?? offer.revoke.url;
  try {
    const ask = offer.revoke.kind === "github" ? forGitHub(account, url) : byRfc7009(account, url);
    const { status } = await exchange({ ...ask, timeoutMs: 20_000, maxBytes: 64 * 1024, clock });
    return status < 300;
  } catch {
    // Unreachable: the account goes all the same, and the caller tells that the grant may live on.
    return false;
  }
}

/** RFC 7009 section 2.1; the refresh token takes its access tokens with it. */
function byRfc7009({ secrets, clientId }: Account, url: string) {
  const token = secrets.refreshToken ?? secrets.accessToken;
  const form = {
    token,
    ...(clientId !== undefined && { client_id: clientId }),
    ...(secrets.clientSecret !== undefined && { client_secret: secrets.clientSecret }),
  };
  return {
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  };
}

/** GitHub REST API, "Delete an app authorization": basic authentication with the client's own secret. */
function forGitHub({ secrets, clientId = "" }: Account, url: string) {
  const basic = Buffer.from(`${clientId}:${secrets.clientSecret ?? ""}`).toString("base64");
  return {
    method: "DELETE",
    url: `${url}/${encodeURIComponent(clientId)}/grant`,
    headers: {
      authorization: `Basic ${basic}`,
      accept: "application/vnd.github+json",
      "content-type": "application/json",
    },
    body: JSON.stringify({ access_token: secrets.accessToken }),
  };
}
