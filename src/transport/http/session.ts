import type { HttpTarget } from "../../spec.js";
import type { Envelope } from "../transport.js";
import { CookieJar } from "./connect/cookies.js";

/** The first revision without sessions. */
const modernVersion = "2026-07-28";

/**
 * What is known of one negotiated conversation, as request headers (MCP 2025-11-25, Transports; 2026-07-28, Transports).
 * A new `initialize` begins a new one. The session id is a secret.
 */
export class HttpSession {
  /** What balancers keep the session together with. */
  readonly cookies = new CookieJar();
  readonly #fixed: readonly string[];
  #id: string | undefined;
  #version: string | undefined;
  #post: string[] | undefined;
  /** The server said that it no longer knows this session. */
  isDead = false;

  constructor(fixed: readonly string[]) {
    this.#fixed = fixed;
  }

  get id(): string | undefined {
    return this.#id;
  }

  get isModern(): boolean {
    return this.#version !== undefined && this.#version >= modernVersion;
  }

  /** Takes the id of a successful initialize response; false when it is not visible ASCII. */
  begin(id: string): boolean {
    if (!/^[\x21-\x7e]+$/.test(id)) return false;
    this.#id = id;
    this.#post = undefined;
    return true;
  }

  agreed(version: string): void {
    this.#version = version;
    this.#post = undefined;
  }

  postHeaders(about: Envelope): string[] {
    if (about.method === "initialize")
      return this.#common("application/json, text/event-stream", about.headers);
    if (!this.isModern && about.headers === undefined && about.method !== "server/discover") {
      return (this.#post ??= this.#common("application/json, text/event-stream"));
    }
    const version = this.#version ?? modernVersion;
    return this.#common("application/json, text/event-stream", {
      "mcp-protocol-version": version,
      "mcp-method": about.method,
      ...lowerCased(about.headers),
    });
  }

  getHeaders(lastEventId: string | undefined): string[] {
    return this.#common(
      "text/event-stream",
      lastEventId === undefined ? {} : { "last-event-id": lastEventId },
    );
  }

  deleteHeaders(): string[] {
    return this.#common("application/json");
  }

  #common(accept: string, more: Readonly<Record<string, string>> = {}): string[] {
    const headers = new Map<string, string>();
    for (let i = 0; i < this.#fixed.length; i += 2)
      headers.set(this.#fixed[i] ?? "", this.#fixed[i + 1] ?? "");
    headers.set("accept", accept).set("accept-encoding", "identity").set("content-type", "application/json");
    if (accept === "text/event-stream") headers.delete("content-type");
    if (this.#id !== undefined) headers.set("mcp-session-id", this.#id);
    if (this.#version !== undefined) headers.set("mcp-protocol-version", this.#version);
    for (const [name, value] of Object.entries(lowerCased(more))) headers.set(name, value);
    return [...headers].flat();
  }
}

/** The configured headers of every request of a server, as names and values in turn; framing is not theirs to say. */
export function fixedHeaders(target: HttpTarget, userAgent: string | undefined): string[] {
  const headers = new Map<string, string>();
  if (userAgent !== undefined) headers.set("user-agent", userAgent);
  for (const [name, value] of Object.entries(target.headers)) {
    const lower = name.toLowerCase();
    if (!framing.has(lower)) headers.set(lower, value);
  }
  return [...headers].flat();
}

const framing = new Set([
  "connection",
  "content-length",
  "content-encoding",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
