import { ServiceError } from "../contract/problem.js";

/** A mail to be built; addresses as `a@b.c` or `Name <a@b.c>`. */
export interface Mail {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Message-ID that is answered, and the chain before it. */
  readonly inReplyTo?: string | undefined;
  readonly references?: string | undefined;
}

/** Builds a plain text message (RFC 5322, RFC 2047, RFC 2045) and encodes it as Gmail's `raw` wants it. */
export function buildRaw(mail: Mail): string {
  const headers = [
    addresses("To", mail.to),
    addresses("Cc", mail.cc),
    addresses("Bcc", mail.bcc),
    `Subject: ${encodeWords(oneLine("subject", mail.subject))}`,
    mail.inReplyTo && `In-Reply-To: ${oneLine("in_reply_to", mail.inReplyTo)}`,
    mail.references && `References: ${oneLine("references", mail.references)}`,
    "MIME-Version: 1.0",
    'Content-Type: text/plain; charset="UTF-8"',
    "Content-Transfer-Encoding: base64",
  ].filter(Boolean);
  const body = Buffer.from(mail.text.replaceAll(/\r?\n/g, "\r\n")).toString("base64");
  const lines = body.match(/.{1,76}/g) ?? [];
  return Buffer.from(`${[...headers, "", ...lines].join("\r\n")}\r\n`).toString("base64url");
}

function addresses(name: string, list: readonly string[]): string | undefined {
  if (list.length === 0) return undefined;
  return `${name}: ${list.map((each) => encodeAddress(name, each)).join(",\r\n ")}`;
}

function encodeAddress(field: string, text: string): string {
  const line = oneLine(field, text).trim();
  const named = /^([^<>]*?)\s*<([^<>]+)>$/.exec(line);
  const address = named?.[2] ?? line;
  // A comma or a second address in one entry would silently add a recipient.
  if (!/^[^\s@,;:<>"()[\]\\]+@[^\s@,;:<>"()[\]\\]+$/.test(address))
    throw new ServiceError(
      "invalid",
      `"${text}" in ${field} is not one mail address (a@b.c or Name <a@b.c>)`,
    );
  const name = named?.[1]?.replace(/^"(.*)"$/, "$1");
  return name ? `${phrase(name)} <${address}>` : address;
}

function phrase(name: string): string {
  return isAscii(name) ? `"${name.replaceAll(/["\\]/g, "\\$&")}"` : encodeWords(name);
}

/** Encoded words of at most 75 characters, cut between characters (RFC 2047 section 2). */
function encodeWords(text: string): string {
  if (isAscii(text)) return text;
  const words: string[] = [];
  let chunk = "";
  for (const character of text) {
    if (Buffer.byteLength(chunk + character) > 45) {
      words.push(chunk);
      chunk = "";
    }
    chunk += character;
  }
  return [...words, chunk].map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join("\r\n ");
}

/** A line break in a header would begin another header. */
function oneLine(field: string, text: string): string {
  if (/\p{Cc}/u.test(text))
    throw new ServiceError("invalid", `${field} must be one line without control characters`);
  return text;
}

function isAscii(text: string): boolean {
  return /^[\u0020-\u007E]*$/.test(text);
}
