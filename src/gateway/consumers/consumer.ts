import type { PermissionMode } from "../../index.js";
import { createScope } from "./scope.js";
import type { Scope, ScopeRules } from "./scope.js";

/** What one consumer may use at a time; over it a request is refused, never queued without an end. */
export interface ConsumerLimits {
  /** Requests under way at the same time. Default: 64. */
  readonly inFlight: number;
  /** Requests within a minute. Default: 6,000. */
  readonly perMinute: number;
  /** Open sessions. Default: 64. */
  readonly sessions: number;
  /** Open event streams. Default: 64. */
  readonly streams: number;
  /** Calls that wait for an answer of the consumer (MCP 2026-07-28, multi round-trip requests). Default: 32. */
  readonly parked: number;
}

export const defaultLimits: ConsumerLimits = {
  inFlight: 64,
  perMinute: 6000,
  sessions: 64,
  streams: 64,
  parked: 32,
};

/** One agent, as it is configured. */
export interface ConsumerConfig extends ScopeRules {
  /** Default: the mode of the fleet. */
  readonly mode?: PermissionMode;
  /** `search` offers four tools that find and call the others; `auto` does so above 40 tools. Default: auto. */
  readonly expose?: "auto" | "all" | "search";
  /** Longest name of a tool; hosts put `mcp__<server>__` before it. Default: 48. */
  readonly nameBudget?: number;
  /** What it may use at a time. Default: those of `ConsumerLimits`. */
  readonly limits?: Partial<ConsumerLimits>;
}

/** A consumer while its configuration and its token stay as they are; another one takes its place when they change. */
export class Consumer {
  readonly name: string;
  readonly config: ConsumerConfig;
  readonly scope: Scope;
  readonly limits: ConsumerLimits;
  readonly nameBudget: number;
  /** Stands for the token that it came with: what is sealed for one token is void for another. */
  readonly epoch: string;
  /** Epoch ms after which its token is void. */
  readonly expiresAt: number | undefined;
  readonly meter: Meter;
  /** Aborts when it is revoked, narrowed or given another token. */
  readonly end = new AbortController();

  constructor(name: string, config: ConsumerConfig, epoch = "", expiresAt?: number) {
    this.name = name;
    this.config = config;
    this.scope = createScope(config);
    this.limits = { ...defaultLimits, ...config.limits };
    this.nameBudget = Math.min(64, Math.max(24, config.nameBudget ?? 48));
    this.epoch = epoch;
    this.expiresAt = expiresAt;
    this.meter = new Meter(this.limits);
  }
}

export interface Refusal {
  readonly what: keyof ConsumerLimits;
  readonly retryAfterMs: number;
}

const minuteMs = 60_000;

/** What a consumer uses now. */
export class Meter {
  inFlight = 0;
  sessions = 0;
  streams = 0;
  parked = 0;
  calls = 0;
  /** Epoch ms of the last request. */
  usedAt = 0;
  readonly #limits: ConsumerLimits;
  #tokens: number;
  #filledAt = 0;

  constructor(limits: ConsumerLimits) {
    this.#limits = limits;
    this.#tokens = limits.perMinute;
  }

  /** Begins a request, or says why it may not begin; the rate is a bucket that refills evenly. */
  begin(now: number): Refusal | undefined {
    const { inFlight, perMinute } = this.#limits;
    if (this.inFlight >= inFlight) return { what: "inFlight", retryAfterMs: 1000 };
    const refill = Math.max(0, now - this.#filledAt) * (perMinute / minuteMs);
    this.#tokens = Math.min(perMinute, this.#tokens + refill);
    this.#filledAt = now;
    if (this.#tokens < 1) {
      const retryAfterMs = Math.ceil(((1 - this.#tokens) * minuteMs) / perMinute);
      return { what: "perMinute", retryAfterMs };
    }
    this.#tokens--;
    this.inFlight++;
    this.calls++;
    this.usedAt = now;
    return undefined;
  }

  end(): void {
    this.inFlight--;
  }

  /** Takes a place of this kind; false when none is free. */
  take(what: "sessions" | "streams" | "parked"): boolean {
    if (this[what] >= this.#limits[what]) return false;
    this[what]++;
    return true;
  }

  give(what: "sessions" | "streams" | "parked"): void {
    this[what]--;
  }
}
