/** At most so many cookies of so many characters each; balancers set one or two. */
const maxCookies = 32;
const maxChars = 4096;

interface Cookie {
  readonly value: string;
  readonly path: string;
  /** Epoch ms; absent for one that lasts as long as the session. */
  readonly expiresAt: number | undefined;
}

/**
 * The cookies of one session with one origin (RFC 6265, as far as balancers need it): what an answer sets is sent with
 * the requests that follow, never to another host and never in another session. Values are secrets.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  get size(): number {
    return this.#cookies.size;
  }

  /** Takes the Set-Cookie headers of an answer to this path; `now` in epoch ms. */
  take(header: string | readonly string[] | undefined, requestPath: string, now: number): void {
    if (header === undefined) return;
    for (const line of typeof header === "string" ? [header] : header) this.#set(line, requestPath, now);
  }

  /** The value of the Cookie header for this path; undefined when there is nothing to send. */
  header(requestPath: string, now: number): string | undefined {
    if (this.#cookies.size === 0) return undefined;
    const pairs: string[] = [];
    for (const [name, { value, path, expiresAt }] of this.#cookies) {
      if (expiresAt !== undefined && expiresAt <= now) this.#cookies.delete(name);
      else if (covers(path, pathOf(requestPath))) pairs.push(`${name}=${value}`);
    }
    return pairs.length === 0 ? undefined : pairs.join("; ");
  }

  /** What has to be masked in every text. */
  values(): string[] {
    return [...this.#cookies.values()].map(({ value }) => value);
  }

  #set(line: string, requestPath: string, now: number): void {
    const [pair = "", ...attributes] = line.split(";");
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const value = pair.slice(at + 1).trim();
    // RFC 6265 4.1.1; what a header cannot carry is not kept.
    if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name) || !/^[\x21-\x3a\x3c-\x7e]*$/.test(value)) return;
    if (line.length > maxChars) return;
    const said = new Map(attributes.map(attributeOf));
    const expiresAt = endOf(said, now);
    if (expiresAt !== undefined && expiresAt <= now) return void this.#cookies.delete(name);
    if (!this.#cookies.has(name) && this.#cookies.size >= maxCookies) return;
    const path = said.get("path") ?? "";
    this.#cookies.set(name, {
      value,
      path: path.startsWith("/") ? path : defaultPath(requestPath),
      expiresAt,
    });
  }
}

function attributeOf(text: string): [string, string] {
  const at = text.indexOf("=");
  return at < 0
    ? [text.trim().toLowerCase(), ""]
    : [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()];
}

/** Max-Age wins over Expires (RFC 6265 5.3, step 3). */
function endOf(said: ReadonlyMap<string, string>, now: number): number | undefined {
  const age = said.get("max-age");
  if (age !== undefined && /^-?\d{1,12}$/.test(age)) return now + Number(age) * 1000;
  const date = Date.parse(said.get("expires") ?? "");
  return Number.isNaN(date) ? undefined : date;
}

function covers(path: string, requestPath: string): boolean {
  if (!requestPath.startsWith(path)) return false;
  return path.endsWith("/") || requestPath.length === path.length || requestPath[path.length] === "/";
}

/** RFC 6265 5.1.4. */
function defaultPath(requestPath: string): string {
  const path = pathOf(requestPath);
  const at = path.lastIndexOf("/");
  return at <= 0 ? "/" : path.slice(0, at);
}

function pathOf(requestPath: string): string {
  return requestPath.split("?", 1)[0] ?? "/";
}
