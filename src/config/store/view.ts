import { createMasker, maskUrl, stars } from "../../policy/secrets.js";
import { argumentSecrets, pathSecrets } from "../fields/argumentSecrets.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import type { ServerSpec } from "../../spec.js";

/** How a server is reached, fit for every display: each env and header value, and every known secret, as `********`. */
export function viewOf(spec: ServerSpec): Readonly<Record<string, unknown>> {
  const mask = createMasker(spec.secrets);
  const { target } = spec;
  if (target.kind !== "stdio") {
    return { kind: target.kind, url: mask(maskUrl(target.url)), headers: starred(target.headers) };
  }
  const { kind, command, args, env, cwd, inherit, pass } = target;
  return {
    kind,
    command: mask(command),
    args: args.map(mask),
    env: starred(env),
    inherit,
    pass,
    ...(cwd === undefined ? {} : { cwd: mask(cwd) }),
  };
}

/**
 * An entry as it is written down, fit for display and for being edited and saved again: each env and header value and
 * each value in the query of its URL as `********`, which saving turns back into what is stored.
 */
export function maskEntry(fields: Fields): Fields {
  const mask = maskerFor(fields);
  const masked = Object.entries(fields).map(([field, value]): [string, unknown] => {
    if (field === "env" || field === "headers") return [field, isRecord(value) ? starred(value) : value];
    if (field === "oauth" && isRecord(value) && value["clientSecret"] !== undefined)
      return [field, { ...value, clientSecret: stars }];
    if (/^(?:url|serverUrl|httpUrl)$/.test(field) && typeof value === "string")
      return [field, mask(maskUrl(value))];
    if (field === "args" && Array.isArray(value)) {
      return [field, value.map((each: unknown) => (typeof each === "string" ? mask(each) : each))];
    }
    if ((field === "command" || field === "cwd") && typeof value === "string") return [field, mask(value)];
    return [field, value];
  });
  return Object.fromEntries(masked) as Fields;
}

/** Masks what an entry as written holds of secrets. */
export function maskerFor(fields: Fields): (text: string) => string {
  const args = Array.isArray(fields["args"]) ? fields["args"].map(String) : [];
  const url = ["url", "serverUrl", "httpUrl"]
    .map((each) => fields[each])
    .find((each) => typeof each === "string");
  return createMasker([
    ...valuesOf(fields["env"]),
    ...valuesOf(fields["headers"]),
    ...valuesOf(isRecord(fields["oauth"]) ? { secret: fields["oauth"]["clientSecret"] ?? "" } : {}),
    ...argumentSecrets(args),
    ...(typeof url === "string" ? pathSecrets(url) : []),
  ]);
}

function starred(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, stars]));
}

function valuesOf(values: unknown): string[] {
  return isRecord(values) ? Object.values(values).map(String) : [];
}
