import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { ServerHandle } from "../../index.js";
import { ProblemError } from "../guard/problem.js";
import { account, begunLogin, login, loginWish } from "./accountSchemas.js";
import type { ApiParts } from "./apiOptions.js";
import { type ApiEnv, mountWith } from "./endpoint.js";
import { failureOf, type LoginDesk, type LoginWish, type ServerLogin } from "./loginDesk.js";
import { find, missing, params } from "./serverAnswers.js";

const tag = "accounts";
const loginParams = z.object({ login: z.string() });
const unknown = { description: "No such login (any more)", problem: "login-not-found" } as const;
const noAccount = {
  description: "It takes no tokens: it has no url, an Authorization header of its own, or `oauth: false`",
  problem: "no-account",
} as const;

/** Accounts of remote servers: who is logged in where, logging in and out. */
export function accountRoutes(app: OpenAPIHono<ApiEnv>, { supervisor, logins, rules }: ApiParts): void {
  const add = mountWith(app, rules.bodyBytes);
  add({
    method: "get",
    path: "/api/mcp/accounts",
    tag,
    summary: "The accounts of all servers that may have one; without their secrets",
    answers: { 200: { description: "In the order of the configuration", schema: z.array(account) } },
    handle: async () => {
      const handles = supervisor.servers().flatMap(({ id }) => supervisor.server(id) ?? []);
      const found = await Promise.all(handles.map((each) => each.account()));
      return Response.json(found.filter((each) => each !== undefined));
    },
  });
  add({
    method: "post",
    path: "/api/mcp/servers/{id}/login",
    tag,
    summary: "Begin a login to the account of a server",
    description:
      "Finds the authorization server first. Show issuer and scopes, then have the person open `url`, which no other answer " +
      "repeats. The browser comes back to a listener on this machine; from elsewhere, give its last address to " +
      "`answer`. The server connects by itself. The login goes on without the caller, and gives up at `expiresAt`.",
    params,
    body: loginWish,
    answers: {
      202: { description: "It waits for a person", schema: begunLogin },
      404: missing,
      409: {
        description: "One runs already; `login` is its id where the API began it. Or `no-account`",
        problem: "login-running",
      },
      502: { description: "It came to nothing; `failure` is the kind of reason", problem: "login-failed" },
    },
    handle: async (request) => {
      const server = find(supervisor, request.params.id);
      await assertAccount(server);
      const begun = await logins.begin(server, wishOf(request.body), request.context.req.raw.signal);
      if (begun.kind === "running") throw running(server.id, begun.login);
      if (begun.kind === "failed") throw failed(server.id, begun);
      const { url, userCode, verificationUri, verificationUriComplete } = begun.login.request;
      const address = { url, userCode, verificationUri, verificationUriComplete };
      return Response.json({ ...viewOf(begun.login), ...address }, { status: 202 });
    },
  });
  add({
    method: "get",
    path: "/api/mcp/logins/{login}",
    tag,
    summary: "How a login is, or how it ended",
    params: loginParams,
    answers: { 200: { description: "Without the address to open", schema: login }, 404: unknown },
    handle: (request) => Response.json(viewOf(known(logins, request.params.login))),
  });
  add({
    method: "post",
    path: "/api/mcp/logins/{login}/answer",
    tag,
    summary: "Give a login the whole address that a browser ended at",
    description: "An address of another attempt is not used, and the login waits on.",
    params: loginParams,
    body: z.strictObject({ callbackUrl: z.string().max(16_384) }),
    answers: {
      200: {
        description: "`ok`: it has led to tokens. `text` says what came of it",
        schema: z.object({ ok: z.boolean(), text: z.string() }),
      },
      404: unknown,
    },
    handle: async (request) => {
      const { state, failure, request: shown } = known(logins, request.params.login);
      if (state !== "waiting")
        return Response.json({ ok: false, text: failure ?? "This login is over: it has led to tokens." });
      const { ok, text } = await shown.answer(request.body.callbackUrl.trim());
      return Response.json({ ok, text });
    },
  });
  add({
    method: "delete",
    path: "/api/mcp/logins/{login}",
    tag,
    summary: "Give a login up; tokens of before stay",
    params: loginParams,
    answers: { 204: { description: "It is over, or was already" }, 404: unknown },
    handle: (request) => {
      known(logins, request.params.login);
      logins.cancel(request.params.login);
      return new Response(null, { status: 204 });
    },
  });
  add({
    method: "post",
    path: "/api/mcp/servers/{id}/logout",
    tag,
    summary: "Give the tokens of a server's account back and forget them",
    params,
    body: z.strictObject({
      keepGrant: z
        .boolean()
        .optional()
        .openapi({ description: "Leave them valid at the authorization server." }),
    }),
    answers: {
      200: {
        description: "`revoked`: whether the authorization server has taken them back",
        schema: z.object({ revoked: z.enum(["yes", "no", "unsupported"]) }),
      },
      404: missing,
      409: noAccount,
      502: { description: "Its file cannot be read or written", problem: "login-failed" },
    },
    handle: async (request) => {
      const server = find(supervisor, request.params.id);
      await assertAccount(server);
      try {
        return Response.json(await server.logout({ keepGrant: request.body.keepGrant ?? false }));
      } catch (error) {
        const why = failureOf(error);
        throw why === undefined ? error : failed(server.id, why);
      }
    },
  });
}

function wishOf({ scopes, device, newClient }: z.infer<typeof loginWish>): LoginWish {
  return {
    ...(scopes !== undefined && { scopes }),
    ...(device !== undefined && { device }),
    ...(newClient !== undefined && { newClient }),
  };
}

/** Field by field: whatever a login comes to hold later is not told by accident. */
function viewOf({ server, state, failure, request }: ServerLogin): z.infer<typeof login> {
  const { servers, account: name, issuer, scopes, newScopes, reason, expiresAt } = request;
  return {
    login: request.login,
    server,
    servers: [...servers],
    account: name,
    issuer,
    scopes: [...scopes],
    newScopes: [...newScopes],
    reason,
    expiresAt,
    state,
    ...(failure !== undefined && { failure }),
  };
}

function known(logins: LoginDesk, id: string): ServerLogin {
  const found = logins.get(id);
  if (found !== undefined) return found;
  throw new ProblemError({ status: 404, slug: "login-not-found", title: "There is no such login" });
}

async function assertAccount(server: ServerHandle): Promise<void> {
  if ((await server.account()) !== undefined) return;
  throw new ProblemError({
    status: 409,
    slug: "no-account",
    title: `Server "${server.id}" takes no tokens`,
    detail: "It has no url, an Authorization header of its own, or says oauth: false.",
  });
}

function running(id: string, loginId: string | undefined): ProblemError {
  return new ProblemError({
    status: 409,
    slug: "login-running",
    title: `A login of server "${id}" runs already`,
    detail: "Finish or end that one.",
    more: loginId === undefined ? {} : { login: loginId },
  });
}

function failed(id: string, { failure, message }: { failure: string; message: string }): ProblemError {
  if (failure === "busy")
    return new ProblemError({
      status: 409,
      slug: "login-running",
      title: "A login runs already",
      detail: message,
    });
  return new ProblemError({
    status: 502,
    slug: "login-failed",
    title: `The login of server "${id}" came to nothing`,
    detail: message,
    more: { failure },
  });
}
