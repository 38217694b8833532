import { isIP } from "node:net";
import { AuthError, quoted } from "./problem.js";

/** Where an address leads. `never` is for nobody: link-local (cloud metadata), multicast, reserved. */
export type Place = "public" | "private" | "loopback" | "never";

/** What may be asked for a server: its own neighbourhood and the public network. */
export interface Reach {
  readonly private: boolean;
  readonly loopback: boolean;
}

const longestUrl = 8 * 1024;

/** Reads an address out of metadata or configuration; AuthError `blocked-address` when no request may go there. */
export function checkedUrl(text: unknown, what: string): URL {
  if (typeof text !== "string" || text.length > longestUrl || !URL.canParse(text))
    throw new AuthError("bad-answer", `${what} is not an address: ${quoted(text)}`);
  const url = new URL(text);
  const isLocal = url.protocol === "http:" && isLoopbackHost(url.hostname);
  if (url.protocol !== "https:" && !isLocal)
    throw blocked(`${what} must be https (http only for this machine): ${quoted(shown(url))}`);
  if (url.username !== "" || url.password !== "")
    throw blocked(`${what} must not carry a user name or password`);
  if (url.hash !== "") throw blocked(`${what} must not carry a fragment: ${quoted(shown(url))}`);
  return url;
}

/** Whether a host of a URL is written as this machine: 127.0.0.0/8, ::1, localhost. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bare(hostname);
  if (isIP(host) !== 0) return placeOf(host) === "loopback";
  return host === "localhost" || host.endsWith(".localhost");
}

/** The address in a URL's host when it is written as one. */
export function literalAddress(hostname: string): string | undefined {
  const host = bare(hostname);
  return isIP(host) === 0 ? undefined : host;
}

export function isAllowed(place: Place, reach: Reach): boolean {
  if (place === "public") return true;
  return place === "private" ? reach.private : place === "loopback" && reach.loopback;
}

/** Where an IP address leads, whatever its spelling; mapped and translated ones count as the IPv4 address inside. */
export function placeOf(address: string): Place {
  const kind = isIP(address);
  if (kind === 4) return placeOf4(bytes4(address));
  return kind === 6 ? placeOf6(words6(address)) : "never";
}

function placeOf4([a = 0, b = 0, c = 0]: readonly number[]): Place {
  if (a === 127) return "loopback";
  if (a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)) return "private";
  if (a === 100 && b >= 64 && b < 128) return "private";
  const isReserved =
    a === 0 ||
    a >= 224 ||
    (a === 169 && b === 254) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 192 && b === 88 && c === 99) ||
    (a === 198 && (b === 18 || b === 19)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113);
  return isReserved ? "never" : "public";
}

function placeOf6(words: readonly number[]): Place {
  const [a = 0, b = 0] = words;
  const tail = [words[6]! >> 8, words[6]! & 255, words[7]! >> 8, words[7]! & 255];
  const startsWithZeros = (count: number): boolean => words.slice(0, count).every((word) => word === 0);
  if (startsWithZeros(7) && words[7] === 1) return "loopback";
  if (startsWithZeros(5) && words[5] === 0xffff) return placeOf4(tail);
  // ::a.b.c.d (deprecated) and NAT64 lead to the IPv4 address, as far as a gateway plays along.
  if (startsWithZeros(6)) return words[6] === 0 ? "never" : placeOf4(tail);
  if (a === 0x64 && b === 0xff9b) {
    return words.slice(2, 6).every((word) => word === 0) ? placeOf4(tail) : "never";
  }
  if (a === 0x2002) return placeOf4([b >> 8, b & 255, words[2]! >> 8, words[2]! & 255]);
  if ((a & 0xfe00) === 0xfc00) return "private";
  const isReserved =
    (a & 0xffc0) === 0xfe80 ||
    (a & 0xffc0) === 0xfec0 ||
    a >= 0xff00 ||
    a === 0x100 ||
    a === 0 ||
    (a === 0x2001 && (b < 0x200 || b === 0xdb8)) ||
    (a === 0x3fff && b < 0x1000);
  return isReserved ? "never" : "public";
}

function bytes4(address: string): number[] {
  return address.split(".").map(Number);
}

function words6(address: string): number[] {
  const plain = address.replace(/%.*$/, "");
  const v4 = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  const [w = 0, x = 0, y = 0, z = 0] = v4 === null ? [] : bytes4(v4[2]!);
  const text = v4 === null ? plain : `${v4[1]!}${((w << 8) | x).toString(16)}:${((y << 8) | z).toString(16)}`;
  const [head = "", tail] = text.split("::");
  const before = parseWords(head);
  const after = tail === undefined ? [] : parseWords(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function parseWords(part: string): number[] {
  return part === "" ? [] : part.split(":").map((word) => Number.parseInt(word, 16));
}

/** URL hosts hold IPv6 in brackets, and a name may end with the dot of the root. */
function bare(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/** An address without what may be secret in it. */
export function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

function blocked(message: string): AuthError {
  return new AuthError("blocked-address", message);
}
