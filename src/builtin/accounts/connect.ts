import { createClient } from "../client/client.js";
import { ServiceError } from "../contract/problem.js";
import { parseBaseUrl } from "../client/url.js";
import { realClock } from "../contract/clock.js";
import type { Service } from "../contract/service.js";
import type { Account } from "../contract/account.js";
import { createMask } from "../tokens/mask.js";
import { openTokenStore } from "../tokens/store.js";
import { authorize } from "./authorize.js";
import { openBrowser } from "./browser.js";
import { AccountError } from "./errors.js";
import { type AccountSummary, type ConnectOptions, findService, offerOf } from "./options.js";
import { askHidden } from "./prompt.js";
import { summaryOf } from "./summary.js";

type Found = Omit<Account, "keptIn" | "label" | "connectedAt">;

/**
 * Connects an account: OAuth where it is offered and a client is known, else a token; the service is asked who it is
 * before anything is kept. AccountError says what to do; no message ever holds a secret.
 */
export async function connectAccount(options: ConnectOptions): Promise<AccountSummary> {
  const service = findService(options.service);
  const clock = options.clock ?? realClock;
  const mask = createMask([options.token, options.clientSecret]);
  try {
    const fields = await askFields(service, options);
    const found = await (usesOAuth(service, options) ? byOAuth(service, options) : byToken(service, options));
    for (const secret of Object.values(found.secrets)) mask.add(secret);
    const account: Account = { ...found, fields, label: "", keptIn: "file", connectedAt: clock.now() };
    const named = { ...account, label: mask.text(await whoIsIt(service, account, options)) };
    const keptIn = await openTokenStore(options).exclusively(
      (held) => held.write(service.id, named),
      options.signal,
    );
    return summaryOf(service.id, { ...named, keptIn });
  } catch (error) {
    if (!(error instanceof AccountError || error instanceof ServiceError)) throw error;
    throw new AccountError(mask.text(error.message), { cause: error });
  }
}

function usesOAuth(service: Service, options: ConnectOptions): boolean {
  if (options.token !== undefined || service.oauth === undefined) return false;
  if (options.clientId !== undefined || service.token === undefined) return true;
  return false;
}

async function byOAuth(service: Service, options: ConnectOptions): Promise<Found> {
  const offer = offerOf(service, options.urls);
  const { clientId, clientSecret } = options;
  if (offer === undefined || clientId === undefined)
    throw new AccountError(
      `${service.name} is connected by OAuth with a client of your own: register one at ${service.oauth?.clientPage ?? "its site"} and pass its id and secret`,
    );
  const say = sayer(options);
  const grant = await authorize({
    offer,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    clock: options.clock ?? realClock,
    timeoutMs: options.timeoutMs ?? 300_000,
    port: options.port ?? 0,
    show: async (address) => {
      say(`Open this address to allow access:\n${address}`);
      if (options.headless === true || (await (options.open ?? openBrowser)(address))) return;
      say("No browser could be opened here: open the address yourself.");
    },
    ...(options.headless && {
      askAddress: () => asker(options)("Address of the page you end up on (it need not load)"),
    }),
    ...(options.signal && { signal: options.signal }),
  });
  return {
    kind: "oauth",
    clientId,
    tokenUrl: offer.tokenUrl,
    revokeUrl: offer.revoke.url,
    ...(grant.expiresAt !== undefined && { expiresAt: grant.expiresAt }),
    scopes: [...(grant.scopes ?? offer.scopes)],
    secrets: {
      accessToken: grant.accessToken,
      ...(grant.refreshToken !== undefined && { refreshToken: grant.refreshToken }),
      ...(clientSecret !== undefined && { clientSecret }),
    },
  };
}

async function byToken(service: Service, options: ConnectOptions): Promise<Found> {
  if (options.token === undefined && service.token !== undefined)
    sayer(options)(`Make a token at ${service.token.page}: ${service.token.hint}`);
  const ask = options.askHidden ?? askHidden;
  const token = (options.token ?? (await ask(`${service.name} token (hidden)`))).trim();
  if (token === "" || /[^\u0021-\u007E]/.test(token))
    throw new AccountError(`this is no ${service.name} token: it is empty or holds blanks`);
  return { kind: "token", secrets: { accessToken: token } };
}

async function askFields(service: Service, options: ConnectOptions): Promise<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const { name, prompt, required } of service.fields ?? []) {
    const given = options.fields?.[name];
    const value = (given ?? (required ? await asker(options)(prompt) : "")).trim();
    if (value === "" && required) throw new AccountError(`${service.name} needs: ${prompt}`);
    if (value !== "") fields[name] = name === "url" ? parseBaseUrl(value) : value;
  }
  if (options.urls?.api !== undefined) fields["url"] = parseBaseUrl(options.urls.api);
  return fields;
}

function whoIsIt(service: Service, account: Account, options: ConnectOptions): Promise<string> {
  const access = { current: async () => account, renew: async () => undefined };
  const baseUrl = account.fields?.["url"] ?? service.baseUrl ?? "";
  const client = createClient({
    service,
    baseUrl,
    access,
    clock: options.clock ?? realClock,
    timeoutMs: 20_000,
    maxBytes: 4 * 1024 * 1024,
    ...(options.signal && { signal: options.signal }),
  });
  return service.whoAmI(client);
}

function asker(options: ConnectOptions): (question: string) => Promise<string> {
  return options.ask ?? options.askHidden ?? askHidden;
}

function sayer(options: ConnectOptions): (line: string) => void {
  return options.say ?? ((line) => void process.stderr.write(`${line}\n`));
}
