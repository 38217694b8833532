import type { Query } from "../contract/client.js";
import { ServiceError } from "../contract/problem.js";

/** Checks a base address: https, or http to this machine only, because a token travels to it. No trailing slash. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const loopback = url !== undefined && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  const fine = url?.protocol === "https:" || (url?.protocol === "http:" && loopback);
  if (!fine || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new ServiceError(
      "invalid",
      `"${withoutSecrets(text)}" is no base address: https://host/path is needed (http only for this machine)`,
    );
  return url.href.replace(/\/+$/, "");
}

/** A request's address: base, path (already encoded) and query; undefined values are left out. */
export function urlOf(base: string, address: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  const text = search.toString();
  return text === "" ? `${base}${address}` : `${base}${address}?${text}`;
}

/** Builds a path whose inserted parts can neither leave their segment nor begin a query. */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((done, part, index) => `${done}${segment(values[index - 1] ?? "")}${part}`);
}

function segment(value: string | number): string {
  const text = encodeURIComponent(value);
  // A segment of dots would be resolved away by URL parsers, encoded or not.
  if (text === "." || text === "..") throw new ServiceError("invalid", `"${text}" cannot be a name here`);
  return text;
}

function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^/@]*@/, "//").replace(/[?#].*$/s, "");
}
