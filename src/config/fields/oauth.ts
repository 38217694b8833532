import type { HttpTarget, OAuthSettings, StdioTarget } from "../../spec.js";
import type { FieldContext, Fields } from "./fields.js";
import { choice, isRecord, kindOf, noteUnknown, tell, text, textMap, texts } from "./fields.js";

const words = [
  "clientId",
  "clientSecret",
  "clientKey",
  "clientMetadataUrl",
  "scopes",
  "account",
  "grant",
  "redirect",
  "issuer",
  "resource",
  "pkce",
  "authorizeParams",
] as const;

/**
 * Reads `oauth` of an entry. A project's file may say `scopes` only: a repository must neither choose where tokens come
 * from nor get those of the user's own entries.
 */
export function readOAuth(
  context: FieldContext,
  fields: Fields,
  isProject: boolean,
): OAuthSettings | false | undefined {
  const value = fields["oauth"];
  if (value === undefined || value === false) return value;
  if (!isRecord(value)) return tell(context, "oauth", `must be an object or false, not ${kindOf(value)}`);
  const inner = under(context, "oauth");
  const hidden = isProject ? Object.keys(value).filter((name) => name !== "scopes") : [];
  for (const name of hidden)
    tell(inner, name, "may not stand in a project's file", { hint: "put the entry into your own mcp.json" });
  noteUnknown(inner, value, words);
  const redirect = readRedirect(inner, value);
  const metadataUrl = address(inner, value, "clientMetadataUrl");
  if (metadataUrl !== undefined && new URL(metadataUrl).pathname === "/")
    tell(inner, "clientMetadataUrl", "must have a path");
  const settings: Loose<OAuthSettings> = {
    clientId: text(inner, value, "clientId"),
    clientSecret: text(inner, value, "clientSecret"),
    clientKey: text(inner, value, "clientKey"),
    clientMetadataUrl: metadataUrl,
    scopes: texts(inner, value, "scopes"),
    account: text(inner, value, "account"),
    grant: choice(inner, value, "grant", ["code", "client_credentials", "device"]),
    redirect,
    issuer: address(inner, value, "issuer"),
    resource: value["resource"] === false ? false : text(inner, value, "resource"),
    pkce: choice(inner, value, "pkce", ["assume"]),
    authorizeParams: textMap(inner, value, "authorizeParams"),
  };
  if (settings.grant === "client_credentials" && settings.clientId === undefined)
    tell(inner, "clientId", "is missing: client_credentials needs a registered client");
  return Object.fromEntries(Object.entries(settings).filter(([, each]) => each !== undefined));
}

/** Puts what `oauth` says to the address it is about. */
export function withOAuth(
  target: StdioTarget | HttpTarget | undefined,
  oauth: OAuthSettings | false | undefined,
): StdioTarget | HttpTarget | undefined {
  return target === undefined || target.kind === "stdio" || oauth === undefined
    ? target
    : { ...target, oauth };
}

function readRedirect(context: FieldContext, fields: Fields): OAuthSettings["redirect"] {
  const value = fields["redirect"];
  if (value === undefined || typeof value === "string") return address(context, fields, "redirect");
  if (!isRecord(value))
    return tell(context, "redirect", "must be an address or an object of host, port and path");
  const inner = under(context, "redirect");
  const host = choice(inner, value, "host", ["127.0.0.1", "localhost", "::1"]);
  const path = text(inner, value, "path");
  if (path?.startsWith("/") === false) tell(inner, "path", "must begin with /");
  const { port } = value;
  const isPort =
    port === undefined || (Number.isInteger(port) && (port as number) >= 0 && (port as number) < 65_536);
  if (!isPort) tell(inner, "port", "must be a whole number from 0 to 65535");
  return {
    ...(host !== undefined && { host }),
    ...(typeof port === "number" && { port }),
    ...(path !== undefined && { path }),
  };
}

/** An https address, or one of this machine. */
function address(context: FieldContext, fields: Fields, field: string): string | undefined {
  const value = text(context, fields, field);
  if (value === undefined) return undefined;
  const isGood =
    URL.canParse(value) && /^(https:|http:\/\/(127\.0\.0\.1|localhost|\[::1\])([:/]|$))/.test(value);
  return isGood ? value : tell(context, field, "must be an https address");
}

function under(context: FieldContext, field: string): FieldContext {
  const path = [context.path, context.written?.get(field) ?? field].filter((each) => each !== "").join(".");
  const { written: _, ...rest } = context;
  return { ...rest, path };
}

type Loose<T> = { [K in keyof T]: T[K] | undefined };
