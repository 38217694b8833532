/** What a secret shows as, everywhere. */
export const stars = "********";

/** Values shorter than this never count: they would turn normal words into stars. */
const shortest = 6;

/** What every cut of a foreign text leaves behind, and how much of a secret beside it is still one. */
const cutMark = "…";
const shortestPart = 4;

/** Plain configuration words that are nobody's secret although they stand in an env block. */
const plainWords = new Set(
  (
    "default development production staging testing localhost warning verbose disabled enabled " +
    "server client docker stdio http https always never silent normal strict utf-8 en_US.UTF-8"
  ).split(" "),
);

export type Masker = (text: string) => string;

/**
 * Makes a function that replaces every exact occurrence of the secrets by `********`: raw, line by line, URL-encoded,
 * base64 (also inside a longer base64 text) and JSON-escaped. Values count from 6 characters on. Foreign texts are often
 * cut before anybody knows the secrets: beside the mark of a cut (`…`) the beginning or end of one counts as well, from 4
 * characters on. A text without a secret comes back unchanged.
 */
export function createMasker(secrets: readonly string[]): Masker {
  const needles = [...new Set(secrets.flatMap(valuesOf).flatMap(formsOf))];
  return (text) => {
    if (text.length <= shortestPart) return text;
    const present = needles.filter((needle) => text.includes(needle));
    const spans = [...spansOf(text, present), ...(text.includes(cutMark) ? cutSpans(text, needles) : [])];
    return spans.length === 0 ? text : replaceAll(text, merged(spans));
  };
}

/** A copy of a JSON value with the secrets masked in every text and key; nesting beyond 500 shows as `********`. */
export function maskDeep(value: unknown, mask: Masker, depth = 0): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= 500) return stars;
  if (Array.isArray(value)) return value.map((each) => maskDeep(each, mask, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [mask(key), maskDeep(each, mask, depth + 1)]),
  );
}

/** A URL fit for display: without user info and fragment, and with `********` for each value of the query. */
export function maskUrl(url: string): string {
  const base = url.replace(/#.*$/s, "");
  const [path, query] = splitOnce(base, "?");
  const clean = path.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, "$1//");
  if (query === undefined) return clean;
  const names = query.split("&").map((pair) => splitOnce(pair, "="));
  return `${clean}?${names.map(([name, value]) => (value === undefined ? stars : `${name}=${stars}`)).join("&")}`;
}

/** The value itself and the parts of it that are as secret: credentials of a header, a URL's password, single lines. */
function valuesOf(secret: string): string[] {
  const values = [secret, secret.trim(), ...secret.split(/\r?\n/)];
  const credentials = /^\s*(?:bearer|basic|token|apikey|digest)\s+(.+?)\s*$/is.exec(secret)?.[1];
  if (credentials !== undefined) values.push(credentials);
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s]+)@/i.exec(secret)?.[1];
  if (password !== undefined) values.push(password, decoded(password));
  return values.filter((each) => each.length >= shortest && !plainWords.has(each));
}

function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const percent = percentEncoded(value);
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    percent,
    percent.replaceAll(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()),
    percent.replaceAll("%20", "+"),
    // What URLSearchParams and HTML forms encode beyond encodeURIComponent.
    percent
      .replaceAll("%20", "+")
      .replaceAll(/[!'()~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`),
    ...base64Forms(value),
  ];
}

function base64Forms(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const whole = base64(bytes);
  const forms = [whole, whole.replace(/=+$/, "")];
  // Inside a longer text ("user:secret") the value may begin at any of three alignments; only the characters that
  // depend on nothing else are certain.
  for (const shift of [0, 1, 2]) {
    const shifted = base64(new Uint8Array([...new Uint8Array(shift), ...bytes]));
    const tail = (bytes.length + shift) % 3;
    forms.push(shifted.slice([0, 2, 3][shift], shifted.length - [0, 3, 2][tail]!));
  }
  return forms.flatMap((each) => [each, each.replaceAll("+", "-").replaceAll("/", "_")]);
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function percentEncoded(value: string): string {
  // Lone surrogates cannot be encoded; as UTF-8 they are U+FFFD everywhere else, too.
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(value)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not percent-encoded after all: the raw text is what can show up
  }
}

/** Where secrets are. */
function spansOf(text: string, needles: readonly string[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
      spans.push([at, at + needle.length]);
    }
  }
  return spans;
}

/** Where a cut has left the beginning of a secret before its mark, or the end of one behind it. */
function cutSpans(text: string, needles: readonly string[]): [number, number][] {
  const spans: [number, number][] = [];
  for (let at = text.indexOf(cutMark); at >= 0; at = text.indexOf(cutMark, at + 1)) {
    const after = at + cutMark.length;
    for (const needle of needles) {
      for (let length = Math.min(needle.length - 1, at); length >= shortestPart; length--) {
        if (!text.endsWith(needle.slice(0, length), at)) continue;
        spans.push([at - length, at]);
        break;
      }
      for (let length = Math.min(needle.length - 1, text.length - after); length >= shortestPart; length--) {
        if (!text.startsWith(needle.slice(-length), after)) continue;
        spans.push([after, after + length]);
        break;
      }
    }
  }
  return spans;
}

/** Spans in order; two that overlap become one, so that no tail of either is left. */
function merged(spans: readonly [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

function replaceAll(text: string, spans: readonly [number, number][]): string {
  let result = "";
  let done = 0;
  for (const [from, to] of spans) {
    result += text.slice(done, from) + stars;
    done = to;
  }
  return result + text.slice(done);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
