/** How a host says that it reaches the world through a proxy. */
export interface ProxyWords {
  /** Of the entry or the settings: an address, or false for none whatever the environment says. */
  readonly configured?: string | false | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The proxy for an address, and who named it. */
export interface ProxyChoice {
  /** May hold a user name and a password. */
  readonly url: string;
  /** `proxy`, or the name of the variable; for messages. */
  readonly from: string;
}

/**
 * Which proxy an address is reached through, as curl and most programs read it: `proxy` of the entry, else HTTPS_PROXY or
 * HTTP_PROXY by the scheme, else ALL_PROXY, small letters first, unless NO_PROXY names the host. This machine is never
 * reached through a proxy.
 */
export function proxyFor(url: URL, { configured, env }: ProxyWords): ProxyChoice | undefined {
  if (isThisMachine(url.hostname) || configured === false) return undefined;
  if (configured !== undefined) return { url: withScheme(configured), from: "proxy" };
  if (isExcepted(url, env["no_proxy"] ?? env["NO_PROXY"] ?? "")) return undefined;
  const scheme = url.protocol === "https:" ? "https" : "http";
  for (const name of [`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase(), "all_proxy", "ALL_PROXY"]) {
    const value = env[name]?.trim();
    // CGI programs get HTTP_PROXY from a request header (httpoxy); there only the small letters count.
    if (value === undefined || value === "" || (name === "HTTP_PROXY" && env["REQUEST_METHOD"] !== undefined))
      continue;
    return { url: withScheme(value), from: name };
  }
  return undefined;
}

/** Whether a list such as `localhost,.corp.example,10.0.0.0/8,example.com:8443` or `*` names this address. */
function isExcepted(url: URL, list: string): boolean {
  const host = bare(url.hostname);
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return list.split(/[\s,]+/).some((item) => {
    if (item === "") return false;
    if (item === "*") return true;
    if (item.includes("/")) return isInRange(host, item);
    const [, name = "", itsPort] = /^(.*?)(?::(\d+))?$/.exec(
      item.startsWith("[") || !isV6(item) ? item : `[${item}]`,
    )!;
    if (itsPort !== undefined && itsPort !== port) return false;
    const domain = bare(name)
      .toLowerCase()
      .replace(/^\*?\./, "");
    return host === domain || host.endsWith(`.${domain}`);
  });
}

function isInRange(host: string, range: string): boolean {
  const [base = "", bits = ""] = range.split("/");
  const [address, network] = [v4(host), v4(base)];
  if (address === undefined || network === undefined || !/^\d+$/.test(bits) || Number(bits) > 32)
    return false;
  const mask = Number(bits) === 0 ? 0 : (-1 << (32 - Number(bits))) >>> 0;
  return (address & mask) >>> 0 === (network & mask) >>> 0;
}

function v4(host: string): number | undefined {
  const parts = host.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256))
    return undefined;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

function isV6(text: string): boolean {
  return text.split(":").length > 2;
}

function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "").toLowerCase();
}

/** `proxy.corp.example:3128` is an address to most programs. */
function withScheme(value: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
}
