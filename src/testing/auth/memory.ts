import { randomBytes } from "node:crypto";
import type { FakeAuthOptions } from "./types.js";

/** One consent of a person and all tokens that came of it. */
export interface Family {
  readonly clientId: string;
  readonly scope: string;
  readonly resource: string | undefined;
  isRevoked: boolean;
}

export interface AccessToken {
  readonly family: Family;
  readonly endsAt: number;
}

export interface RefreshToken {
  readonly family: Family;
  usedAt: number | undefined;
  answer: Record<string, unknown> | undefined;
}

export interface Code {
  readonly family: Family;
  readonly challenge: string;
  readonly redirectUri: string;
  isUsed: boolean;
}

export interface DeviceLogin {
  readonly family: Family;
  decision: "pending" | "approved" | "denied" | "expired";
}

/** What an authorization server remembers, with counts of what clients must not do. */
export class AuthMemory {
  readonly access = new Map<string, AccessToken>();
  readonly refresh = new Map<string, RefreshToken>();
  readonly codes = new Map<string, Code>();
  readonly devices = new Map<string, DeviceLogin>();
  readonly clients = new Map<
    string,
    { readonly secret: string | undefined; readonly redirectUris: readonly string[] }
  >();
  /** Every secret ever given out. */
  readonly given = new Set<string>();
  /** Refresh tokens that were used a second time. */
  reuses = 0;
  renewals = 0;

  readonly #options: FakeAuthOptions;

  constructor(options: FakeAuthOptions) {
    this.#options = options;
    for (const [id, secret] of Object.entries(options.clients ?? {}))
      this.clients.set(id, { secret, redirectUris: [] });
  }

  now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  secret(prefix: string): string {
    const secret = `${prefix}-${randomBytes(12).toString("base64url")}`;
    this.given.add(secret);
    return secret;
  }

  /** A token answer for a family, with a new refresh token unless one stays. */
  issue(family: Family, staying?: string): Record<string, unknown> {
    const { expiresIn = 3600 } = this.#options;
    const accessToken = this.secret("at");
    const seconds =
      typeof expiresIn === "number" && expiresIn > 0 && expiresIn < 1e9
        ? expiresIn
        : Number.POSITIVE_INFINITY;
    this.access.set(accessToken, { family, endsAt: this.now() + seconds * 1000 });
    const refreshToken = staying ?? this.secret("rt");
    if (staying === undefined)
      this.refresh.set(refreshToken, { family, usedAt: undefined, answer: undefined });
    return {
      access_token: accessToken,
      token_type: "Bearer",
      refresh_token: refreshToken,
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
      ...(family.scope !== "" && { scope: family.scope }),
    };
  }

  /** The answer to a refresh token, or undefined when it is no good (any more). */
  renew(token: string): Record<string, unknown> | undefined {
    const { rotation = "strict", graceMs = 10_000 } = this.#options;
    const known = this.refresh.get(token);
    if (known === undefined || known.family.isRevoked) return undefined;
    if (rotation === "none") {
      this.renewals += 1;
      return this.issue(known.family, token);
    }
    if (known.usedAt !== undefined) {
      if (rotation === "grace" && this.now() - known.usedAt < graceMs) return known.answer;
      this.reuses += 1;
      known.family.isRevoked = true;
      return undefined;
    }
    this.renewals += 1;
    known.usedAt = this.now();
    known.answer = this.issue(known.family);
    return known.answer;
  }

  /** The family of an access token that still works. */
  familyOf(token: string): Family | undefined {
    const known = this.access.get(token);
    return known === undefined || known.family.isRevoked || known.endsAt <= this.now()
      ? undefined
      : known.family;
  }

  revoke(token: string): void {
    const known = this.refresh.get(token);
    if (known !== undefined) known.family.isRevoked = true;
    this.access.delete(token);
  }
}
