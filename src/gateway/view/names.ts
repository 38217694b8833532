import { createHash } from "node:crypto";

/** The longest name that model APIs take. */
export const longestName = 64;
const tailLength = 8;
const hashed = new RegExp(`-[a-z2-7]{${tailLength}}$`);

/**
 * The name under which a tool or prompt of a server is offered: `server__name`, made of `[A-Za-z0-9_-]`, at most
 * `budget` long. A pure function of server and name, so that no name moves when another server or another consumer's
 * scope changes. What would not read back as the same pair (other characters, underscores around the seam, too long)
 * ends in `-` and 40 bits of a hash of the pair.
 */
export function offeredName(server: string, name: string, budget = longestName): string {
  const plain = `${server}__${name}`;
  if (plain.length <= budget && isReversible(server, name, plain)) return plain;
  const tail = `-${hash(`${server}\0${name}`)}`;
  const clean = `${server}__${name}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return clean.slice(0, Math.max(1, budget - tail.length)) + tail;
}

function isReversible(server: string, name: string, plain: string): boolean {
  return (
    /^[A-Za-z0-9_-]+$/.test(plain) &&
    name !== "" &&
    !server.includes("__") &&
    !server.endsWith("_") &&
    !name.startsWith("_") &&
    !hashed.test(plain)
  );
}

/** In the alphabet of base32 (RFC 4648), lower-cased. */
function hash(text: string): string {
  const digest = createHash("sha256").update(text).digest();
  let letters = "";
  for (let at = 0; at < tailLength; at++)
    letters += "abcdefghijklmnopqrstuvwxyz234567".charAt((digest[at] ?? 0) & 31);
  return letters;
}
