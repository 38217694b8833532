/** Signs of life of one session, as its heartbeat sees them; plain data. */
export interface Health {
  /** Epoch ms of the last message that answered anything (a result, an error, a ping). */
  readonly aliveAt: number;
  /** Epoch ms when the heartbeat last looked. */
  readonly lookedAt: number;
  /** Pings without an answer since the last sign of life. */
  readonly missed: number;
  /** It answered other requests but not a ping: its silence to pings says nothing. */
  readonly ignoresPing: boolean;
}

export interface HealthOptions {
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  /** Missed pings in a row that end a life. */
  readonly maxMissed: number;
}

export type HealthAdvice =
  /** There is fresh traffic, or nothing to learn: do nothing. */
  | "rest"
  /** Send one ping. */
  | "ping"
  /** The life should end. */
  | "dead";

/** A session that was just negotiated: alive. */
export function newHealth(now: number): Health {
  return { aliveAt: now, lookedAt: now, missed: 0, ignoresPing: false };
}

/** An answer to a ping; an error such as "method not found" is an answer as well. */
export function pingAnswered(health: Health, now: number): Health {
  return { ...health, aliveAt: now, missed: 0, ignoresPing: false };
}

/** An answer to any other request. After a missed ping it shows that this server just does not answer pings. */
export function trafficAnswered(health: Health, now: number): Health {
  return { ...health, aliveAt: now, missed: 0, ignoresPing: health.ignoresPing || health.missed > 0 };
}

/** A ping that was not answered in time. A miss over a sleep of the machine does not count. */
export function pingMissed(health: Health, sentAt: number, now: number, options: HealthOptions): Health {
  if (health.aliveAt >= sentAt || now - sentAt > 3 * options.everyMs) return health;
  return { ...health, missed: health.missed + 1 };
}

/**
 * What the heartbeat should do at `now`. Calls in flight and answered traffic keep a server alive whatever its pings
 * do; after a sleep of the machine (a look that is far too late) the server gets one ping before it is judged.
 */
export function lookAtHealth(
  before: Health,
  now: number,
  inFlight: number,
  options: HealthOptions,
): { readonly health: Health; readonly advice: HealthAdvice } {
  const slept = now - before.lookedAt > 3 * options.everyMs;
  const health = { ...before, lookedAt: now, missed: slept ? 0 : before.missed };
  if (slept) return { health, advice: "ping" };
  if (now - health.aliveAt < options.everyMs) return { health, advice: "rest" };
  if (health.missed < options.maxMissed) return { health, advice: "ping" };
  return { health, advice: inFlight > 0 || health.ignoresPing ? "rest" : "dead" };
}
