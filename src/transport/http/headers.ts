/** Headers of an answer: names in lower case; a repeated one is an array, whatever the name. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The value of a header, the first one if it was repeated; empty when absent. */
export function header(headers: ReplyHeaders, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** The media type without parameters, in lower case; empty when there is none. RFC 9110 8.3.1. */
export function mediaType(headers: ReplyHeaders): string {
  const [essence = ""] = header(headers, "content-type").split(";", 1);
  return essence.trim().toLowerCase();
}

/** Retry-After in milliseconds from `now` (epoch ms): seconds or a date; undefined when absent. RFC 9110 10.2.3. */
export function retryAfter(headers: ReplyHeaders, now: number): number | undefined {
  const value = header(headers, "retry-after").trim();
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Whether a token can be the answer: 401, or 403 that asks for more scopes (RFC 6750, 3.1). */
export function isRefusal(status: number, headers: ReplyHeaders): boolean {
  return status === 401 || (status === 403 && /insufficient_scope/.test(header(headers, "www-authenticate")));
}
