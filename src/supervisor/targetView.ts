import type { ServerSpec } from "../spec.js";
import { maskUrl, stars } from "../policy/secrets.js";

/** Where a server is found, for display: names of variables and headers stay, their values do not. */
export function targetView({ target }: ServerSpec): Readonly<Record<string, unknown>> {
  if (target.kind !== "stdio") return { url: maskUrl(target.url), headers: starred(target.headers) };
  const { command, args, env, cwd } = target;
  return { command, args, env: starred(env), ...(cwd === undefined ? {} : { cwd }) };
}

function starred(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, stars]));
}
