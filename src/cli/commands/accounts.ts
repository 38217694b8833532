import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { AccountSummary, ConnectOptions, ServiceId } from "../../builtin/accounts/main.js";
import { loadFleet } from "../../config/index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { homeOf } from "../context/home.js";
import { table } from "../screen/table.js";
import { jsonText, visible, visibleLines } from "../screen/visible.js";
import { control } from "./control.js";
import type { ControlFlags } from "./control.js";

export interface AccountFlags {
  readonly home?: string;
  readonly json?: boolean;
}

export interface ConnectFlags extends ControlFlags {
  /** It is an account that is meant, whatever servers there are. */
  readonly account?: boolean;
  readonly tokenStdin?: boolean;
  readonly clientId?: string;
  readonly field?: readonly string[];
  readonly headless?: boolean;
}

/** `connect NAME`: an account when NAME is a service and no enabled server has this id, or with --account; else a server. */
export async function connect(context: Context, flags: ConnectFlags, name: string): Promise<number> {
  if (!(await meansAccount(context, flags, name))) return control(context, flags, "connect", name);
  const { connectAccount } = await import("../../builtin/accounts/main.js");
  const service = await serviceOf(name);
  const home = homeOf(context, flags);
  const account = await connectAccount({
    ...(await given(context, flags, service)),
    home,
    service,
    say: (line) => say(context, visibleLines(line)),
    signal: context.interrupts.signal,
  });
  if (flags.json) print(context, jsonText(account));
  const hint = (await isEnabled(home, serverOf(service)))
    ? ""
    : `; switch its server on with: mcpvisor enable ${serverOf(service)}`;
  say(context, visible(`${service}: connected as ${account.label}, kept in the ${account.keptIn}${hint}`));
  return exitCodes.ok;
}

/** Lists the connected accounts, without their secrets. */
export async function accounts(context: Context, flags: AccountFlags): Promise<number> {
  const { listAccounts } = await import("../../builtin/accounts/main.js");
  const all = await listAccounts({ home: homeOf(context, flags), env: context.env });
  if (flags.json) print(context, jsonText({ accounts: all }));
  else if (all.length === 0) say(context, "no account is connected; begin with: mcpvisor connect github");
  else print(context, table(columns, all.map(row), context.terminal.stdout.columns ?? 160).join("\n"));
  return exitCodes.ok;
}

/** Forgets an account, and revokes what OAuth granted. */
export async function disconnect(context: Context, flags: AccountFlags, name: string): Promise<number> {
  const { disconnectAccount } = await import("../../builtin/accounts/main.js");
  const service = await serviceOf(name);
  const done = await disconnectAccount({ home: homeOf(context, flags), service });
  if (flags.json) print(context, jsonText(done));
  else say(context, visible(`${service}: ${done.message}`));
  return done.revoked === "failed" ? exitCodes.failed : exitCodes.ok;
}

async function meansAccount(context: Context, flags: ConnectFlags, name: string): Promise<boolean> {
  if (flags.account) return true;
  const { serviceIds } = await import("../../builtin/accounts/main.js");
  return serviceIds.some((each) => each === name) && !(await isEnabled(homeOf(context, flags), name));
}

async function isEnabled(home: string, id: string): Promise<boolean> {
  const fleet = await loadFleet({ home, workspace: resolve("."), discover: true });
  return fleet.specs.some((spec) => spec.id === id && spec.enabled);
}

async function serviceOf(name: string): Promise<ServiceId> {
  const { serviceIds } = await import("../../builtin/accounts/main.js");
  const found = serviceIds.find((each) => each === name);
  if (found === undefined)
    throw new UsageError(`there is no service "${name}"; one of: ${serviceIds.join(", ")}`);
  return found;
}

/** The server that offers a service's tools. */
function serverOf(service: ServiceId): string {
  return service === "gmail" ? "gmail" : "connectors";
}

/** What was said on the command line, on stdin and in the environment; secrets never come from arguments. */
async function given(
  context: Context,
  flags: ConnectFlags,
  service: ServiceId,
): Promise<Partial<ConnectOptions>> {
  const variable = (name: string) => context.env[`MCPVISOR_${service.toUpperCase()}_${name}`] || undefined;
  const token = flags.tokenStdin ? (await text(context.terminal.stdin)).trim() : variable("TOKEN");
  if (flags.tokenStdin && token === "") throw new UsageError("--token-stdin: nothing came on stdin");
  const clientId = flags.clientId ?? variable("CLIENT_ID");
  if (token === undefined && clientId === undefined && !context.terminal.canAsk)
    throw new UsageError(
      `there is no terminal to ask for the ${service} token; pass it with --token-stdin or in MCPVISOR_${service.toUpperCase()}_TOKEN`,
    );
  const clientSecret = variable("CLIENT_SECRET");
  const api = variable("URL");
  return {
    fields: fieldsOf(flags.field ?? []),
    headless: flags.headless === true,
    ...(token === undefined ? {} : { token }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(api === undefined ? {} : { urls: { api } }),
  };
}

function fieldsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((each) => {
      const at = each.indexOf("=");
      if (at < 1) throw new UsageError(`--field "${each}" has no "=" after its name`);
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
}

const columns = [
  { title: "SERVICE" },
  { title: "ACCOUNT", shrinkTo: 12 },
  { title: "KIND" },
  { title: "KEPT IN" },
  { title: "CONNECTED", shrinkTo: 10 },
  { title: "EXPIRES", shrinkTo: 10 },
];

function row({ service, label, kind, keptIn, connectedAt, expiresAt }: AccountSummary) {
  const texts = [service, label, kind, keptIn, connectedAt ?? "-", expiresAt ?? "-"];
  return texts.map((each) => ({ text: visible(each) }));
}
