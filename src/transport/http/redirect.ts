/**
 * Where a redirect may be followed to: the path of the new address for 307 and 308 inside the same origin (method, body
 * and credentials stay the same), undefined for everything else. RFC 9110 15.4.8, RFC 9110 15.4.9.
 */
export function redirectTarget(status: number, location: string, from: URL): string | undefined {
  if ((status !== 307 && status !== 308) || location === "") return undefined;
  if (!URL.canParse(location, from.href)) return undefined;
  const to = new URL(location, from);
  return to.origin === from.origin ? to.pathname + to.search : undefined;
}
