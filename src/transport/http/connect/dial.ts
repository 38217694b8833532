import { readFile } from "node:fs/promises";
import type { Dispatcher } from "undici";
import { type Cause, ConnectError } from "../../../errors.js";
import type { HttpTarget } from "../../../spec.js";
import { type ProxyChoice, proxyFor } from "./proxy.js";

export interface DialOptions {
  /** Server id, for the messages. */
  readonly id: string;
  readonly target: HttpTarget;
  readonly connectTimeoutMs: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How connections to one server are made: directly or through a proxy, trusting which authorities. */
export interface Dial {
  readonly origin: string;
  readonly proxy: ProxyChoice | undefined;
  /** What no message may hold: the credentials in the address of the proxy. */
  readonly secrets: readonly string[];
  connect(): Dispatcher;
}

/** Prepares the connections to a server. Rejects with ConnectError when a certificate or the proxy cannot be used. */
export async function prepareDial(undici: typeof import("undici"), options: DialOptions): Promise<Dial> {
  const { target, id } = options;
  const url = new URL(target.url);
  const proxy = proxyFor(url, { configured: target.proxy, env: options.env ?? process.env });
  const tls = await readTls(id, target);
  const common = {
    // Streams may be silent for ever and a tool may take its time: the deadlines are those of the calls.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  // TCP probes after 30 s find a peer that vanished without a word.
  const socket = { timeout: options.connectTimeoutMs, keepAliveInitialDelay: 30_000 };
  if (proxy === undefined) {
    const connect = { ...socket, ...tls };
    return {
      origin: url.origin,
      proxy,
      secrets: [],
      connect: () => new undici.Pool(url.origin, { ...common, connect }),
    };
  }
  const { uri, token, secrets } = readProxy(id, proxy);
  return {
    origin: url.origin,
    proxy,
    secrets,
    connect: () =>
      new undici.ProxyAgent({
        ...common,
        uri,
        ...(token === undefined ? {} : { token }),
        requestTls: { ...socket, ...tls },
        proxyTls: { timeout: options.connectTimeoutMs },
        connectTimeout: options.connectTimeoutMs,
      }),
  };
}

function readProxy(id: string, { url, from }: ProxyChoice) {
  if (!URL.canParse(url))
    throw failed(id, `the proxy that ${from} names is no address; write it like http://proxy.example:3128`);
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:")
    throw failed(
      id,
      `the proxy that ${from} names speaks ${parsed.protocol.slice(0, -1)}; only http and https are known`,
    );
  const { username, password } = parsed;
  parsed.username = "";
  parsed.password = "";
  if (username === "") return { uri: parsed.href, token: undefined, secrets: [] };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const token = `Basic ${Buffer.from(pair).toString("base64")}`;
  return {
    uri: parsed.href,
    token,
    secrets: [password, decodeURIComponent(password), token].filter(Boolean),
  };
}

/** The files that `tls` of an entry names: further authorities, and a certificate of our own with its key (PEM). */
async function readTls(
  id: string,
  { tls }: HttpTarget,
): Promise<{ ca?: string[]; cert?: string; key?: string }> {
  if (tls === undefined) return {};
  const read = async (word: "ca" | "cert" | "key"): Promise<string | undefined> => {
    const file = tls[word];
    if (file === undefined) return undefined;
    try {
      return await readFile(file, "utf8");
    } catch (error) {
      throw failed(
        id,
        `the file of tls.${word}, ${file}, cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
      );
    }
  };
  const [ca, cert, key] = await Promise.all([read("ca"), read("cert"), read("key")]);
  // `ca` would take the place of the authorities that Node knows; they count as well.
  const { rootCertificates } = await import("node:tls");
  return {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

function failed(id: string, message: string): ConnectError {
  const cause: Cause = { kind: "http-error", message: `server "${id}": ${message}` };
  return new ConnectError(cause);
}
