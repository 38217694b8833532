const names = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether this is the address of a service on this machine. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username } = new URL(url);
  return protocol === "http:" && names.has(hostname) && username === "";
}

/** Where this machine reaches a service that listens on all of its addresses. */
export function localHost(host: string): string {
  return host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
}
