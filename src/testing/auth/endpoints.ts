import { createHash } from "node:crypto";
import type { AuthMemory, Family } from "./memory.js";
import type { FakeAuthOptions, FakeAuthReply, FakeAuthRequest } from "./types.js";

type Reply = Exclude<FakeAuthReply, string>;

/** The right answers of the authorization server. */
export function authEndpoints(memory: AuthMemory, options: FakeAuthOptions, issuer: () => string) {
  const metadata = (): Reply => {
    const at = issuer();
    return {
      body: {
        issuer: at,
        authorization_endpoint: `${at}/authorize`,
        token_endpoint: `${at}/token`,
        ...(options.registration !== false && { registration_endpoint: `${at}/register` }),
        revocation_endpoint: `${at}/revoke`,
        device_authorization_endpoint: `${at}/device`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token", "client_credentials", deviceGrant],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
        authorization_response_iss_parameter_supported: true,
        ...options.metadata,
      },
    };
  };

  const register = ({ form }: FakeAuthRequest): Reply => {
    const redirectUris = Array.isArray(form["redirect_uris"]) ? (form["redirect_uris"] as string[]) : [];
    const clientId = `client-${memory.clients.size + 1}`;
    const method = form["token_endpoint_auth_method"] ?? "none";
    const secret = method === "none" ? undefined : memory.secret("secret");
    memory.clients.set(clientId, { secret, redirectUris });
    return {
      status: 201,
      body: { ...form, client_id: clientId, ...(secret !== undefined && { client_secret: secret }) },
    };
  };

  const authorize = ({ query }: FakeAuthRequest): Reply => {
    const redirectUri = query.get("redirect_uri") ?? "";
    const clientId = query.get("client_id") ?? "";
    if (!memory.clients.has(clientId) && !clientId.startsWith("https://"))
      return refuse("invalid_client", 400);
    const family = familyOf(query, clientId);
    const code = memory.secret("code");
    memory.codes.set(code, {
      family,
      challenge: query.get("code_challenge") ?? "",
      redirectUri,
      isUsed: false,
    });
    const answer = new URL(redirectUri);
    answer.searchParams.set("code", code);
    answer.searchParams.set("iss", issuer());
    const state = query.get("state");
    if (state !== null) answer.searchParams.set("state", state);
    const target = options.callback === undefined ? answer : options.callback(answer);
    return target === null
      ? { body: "the person closed the page" }
      : { status: 302, headers: { location: target.href } };
  };

  const token = (request: FakeAuthRequest): Reply => {
    const { form } = request;
    const clientId = clientOf(request, memory);
    if (clientId === undefined) return refuse("invalid_client", 401);
    switch (form["grant_type"]) {
      case "authorization_code":
        return redeem(form, memory, clientId);
      case "refresh_token": {
        const answer = memory.renew(String(form["refresh_token"]));
        return answer === undefined ? refuse("invalid_grant") : { body: answer };
      }
      case "client_credentials": {
        const { refresh_token: _, ...answer } = memory.issue(
          familyOf(new URLSearchParams(form as Record<string, string>), clientId),
        );
        return { body: answer };
      }
      case deviceGrant: {
        const login = memory.devices.get(String(form["device_code"]));
        if (login === undefined) return refuse("invalid_grant");
        const errors = {
          pending: "authorization_pending",
          denied: "access_denied",
          expired: "expired_token",
        } as const;
        return login.decision === "approved"
          ? { body: memory.issue(login.family) }
          : refuse(errors[login.decision]);
      }
      default:
        return refuse("unsupported_grant_type");
    }
  };

  const device = (request: FakeAuthRequest): Reply => {
    const clientId = clientOf(request, memory);
    if (clientId === undefined) return refuse("invalid_client", 401);
    const code = memory.secret("device");
    memory.devices.set(code, {
      family: familyOf(new URLSearchParams(request.form as Record<string, string>), clientId),
      decision: "pending",
    });
    const at = `${issuer()}/activate`;
    return {
      body: { device_code: code, user_code: "WDJB-MJHT", verification_uri: at, expires_in: 600, interval: 1 },
    };
  };

  const revoke = ({ form }: FakeAuthRequest): Reply => {
    memory.revoke(String(form["token"]));
    return { body: "" };
  };

  return { metadata, register, authorize, token, device, revoke };
}

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

function familyOf(query: URLSearchParams, clientId: string): Family {
  return {
    clientId,
    scope: query.get("scope") ?? "",
    resource: query.get("resource") ?? undefined,
    isRevoked: false,
  };
}

function redeem(form: FakeAuthRequest["form"], memory: AuthMemory, clientId: string): Reply {
  const known = memory.codes.get(String(form["code"]));
  const verifier = String(form["code_verifier"]);
  const isRight =
    known !== undefined &&
    known.family.clientId === clientId &&
    known.redirectUri === form["redirect_uri"] &&
    known.challenge === createHash("sha256").update(verifier).digest("base64url");
  if (!isRight) return refuse("invalid_grant");
  if (known.isUsed) {
    known.family.isRevoked = true;
    return refuse("invalid_grant");
  }
  known.isUsed = true;
  return { body: memory.issue(known.family) };
}

/** The client of a request, with the secret that it was given. */
function clientOf({ headers, form }: FakeAuthRequest, memory: AuthMemory): string | undefined {
  const basic = /^Basic (.+)$/.exec(headers["authorization"] ?? "")?.[1];
  const [id = "", secret] =
    basic === undefined
      ? [String(form["client_id"]), form["client_secret"]]
      : atob(basic)
          .split(":")
          .map((part) => decodeURIComponent(part.replaceAll("+", " ")));
  if (id.startsWith("https://")) return id;
  const known = memory.clients.get(id);
  return known === undefined || (known.secret !== undefined && known.secret !== secret) ? undefined : id;
}

export function refuse(error: string, status = 400): Reply {
  return { status, body: { error, error_description: `the fake says ${error}` } };
}
