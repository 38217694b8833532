import { resolve } from "node:path";
import { loadFleet } from "../../config/index.js";
import { realClock } from "../../index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { homeOf } from "../context/home.js";
import { durationMs } from "../context/options.js";
import { loginDesk } from "../fleet/loginDesk.js";
import { authRow, authColumns } from "../screen/authTable.js";
import { table } from "../screen/table.js";
import { jsonText, visible } from "../screen/visible.js";
import type { AuthorizedServer } from "../../auth/standalone.js";

export interface AuthFlags {
  readonly home?: string;
  readonly workspace?: string;
  readonly config?: readonly string[];
  readonly json?: boolean;
}

export interface LogoutFlags extends AuthFlags {
  readonly account?: string;
  readonly keepGrant?: boolean;
}

export interface LoginFlags extends AuthFlags {
  readonly account?: string;
  readonly scope?: readonly string[];
  readonly device?: boolean;
  readonly paste?: boolean;
  readonly browser?: boolean;
  readonly newClient?: boolean;
  readonly timeout?: string;
}

/** Logs in to the account of one server; a service that runs in the state folder connects it by itself. */
export async function login(context: Context, flags: LoginFlags, id: string): Promise<number> {
  if (flags.device && flags.paste)
    throw new UsageError("--device shows a code to enter elsewhere: there is no address to --paste");
  const timeoutMs = flags.timeout === undefined ? undefined : durationMs("--timeout", flags.timeout);
  const server = await serverOf(context, flags, id);
  const { standaloneBroker, overviewOf } = await import("../../auth/standalone.js");
  const home = homeOf(context, flags);
  const broker = standaloneBroker(home, realClock);
  try {
    await broker.login(server, {
      show: loginDesk(context, { paste: flags.paste === true, browser: flags.browser !== false }),
      signal: context.interrupts.signal,
      ...(flags.scope && { scopes: flags.scope }),
      ...(flags.device && { device: true }),
      ...(flags.newClient && { newClient: true }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  } finally {
    broker.close();
  }
  const overview = await overviewOf(home, server);
  if (flags.json) print(context, jsonText(overview));
  say(context, visible(`${id}: logged in at ${overview.issuer} as account "${overview.account}"`));
  return exitCodes.ok;
}

/** Gives the tokens of one server's account back and forgets them. */
export async function logout(context: Context, flags: LogoutFlags, id: string): Promise<number> {
  const server = await serverOf(context, flags, id);
  const { standaloneBroker } = await import("../../auth/standalone.js");
  const broker = standaloneBroker(homeOf(context, flags), realClock);
  try {
    const revoked = await broker.logout(server, flags.keepGrant === true);
    if (flags.json) print(context, jsonText({ server: id, revoked }));
    say(context, visible(`${id}: the tokens are forgotten${afterwards(revoked, flags)}`));
    return exitCodes.ok;
  } finally {
    broker.close();
  }
}

function afterwards(revoked: "yes" | "no" | "unsupported", { keepGrant }: LogoutFlags): string {
  if (revoked === "yes") return " and revoked";
  if (keepGrant) return "; they stay valid at the authorization server";
  if (revoked === "unsupported")
    return "; the authorization server cannot revoke any: they end by themselves";
  return "; nothing was revoked: there were none, or the authorization server did not answer";
}

/** The accounts of the servers that may want one, without their secrets. */
export async function auth(context: Context, flags: AuthFlags): Promise<number> {
  const { authorizedServer, overviewOf } = await import("../../auth/standalone.js");
  const home = homeOf(context, flags);
  const servers = (await specsOf(context, flags)).flatMap((spec) => authorizedServer(spec) ?? []);
  const accounts = await Promise.all(servers.map((server) => overviewOf(home, server)));
  if (flags.json) print(context, jsonText({ accounts }));
  else if (accounts.length === 0) say(context, "no server with a url could want a login");
  else
    print(
      context,
      table(authColumns, accounts.map(authRow), context.terminal.stdout.columns ?? 160).join("\n"),
    );
  for (const { server, problem } of flags.json ? [] : accounts)
    if (problem !== undefined) say(context, visible(`${server}: ${problem}`));
  return accounts.some(({ state }) => state === "unreadable") ? exitCodes.failed : exitCodes.ok;
}

async function specsOf(context: Context, flags: AuthFlags) {
  const files = (flags.config ?? []).map((file) => resolve(file));
  const fleet = await loadFleet({
    home: homeOf(context, flags),
    workspace: resolve(flags.workspace ?? "."),
    ...(files.length > 0 ? { configFiles: files } : { discover: true }),
  });
  return fleet.specs;
}

async function serverOf(
  context: Context,
  flags: AuthFlags & { readonly account?: string },
  id: string,
): Promise<AuthorizedServer> {
  const spec = (await specsOf(context, flags)).find((each) => each.id === id);
  if (spec === undefined)
    throw new UsageError(`there is no server "${id}"; \`mcpvisor auth\` lists those that may want a login`);
  const { authorizedServer } = await import("../../auth/standalone.js");
  const server = authorizedServer(spec);
  if (server === undefined)
    throw new UsageError(
      `server "${id}" takes no tokens: it has no url, an Authorization header, or oauth: false`,
    );
  if (flags.account === undefined) return server;
  // A repository gets no account of the user, by no flag.
  if (server.project !== undefined)
    throw new UsageError(
      `server "${id}" comes from a project file, whose accounts are its own: no --account`,
    );
  return { ...server, oauth: { ...server.oauth, account: flags.account } };
}
