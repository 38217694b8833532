import { elapsedOf } from "../clock.js";
import type { Clock } from "../clock.js";
import { ConnectError } from "../errors.js";
import type { Cause } from "../errors.js";
import { modernCodec } from "../protocol/modernCodec.js";
import type { Session } from "../protocol/mcp.js";
import { judgeProbe } from "../protocol/negotiation.js";
import type { Era, EraPlan, EraVerdict, ProbeEnd } from "../protocol/negotiation.js";
import { modernRevisions } from "../protocol/revision.js";
import type { Channel } from "./channel.js";
import type { Dated } from "./deadlines.js";
import { greet, settleLegacy } from "./handshake.js";
import type { HandshakeOptions } from "./handshake.js";
import { request } from "./request.js";

export interface NegotiateOptions extends HandshakeOptions {
  readonly plan: EraPlan;
  readonly clock: Clock;
  /** How long a probe may be silent before initialize is sent as well, in ms; not the limit of anything. */
  readonly hedgeMs: number;
  /** Level of log messages a modern server is asked for. */
  readonly logLevel?: string;
}

export type Negotiated =
  | { readonly kind: "session"; readonly era: Era; readonly session: Session }
  /** The process ended over the probe: a legacy server that must be started again and greeted at once. */
  | { readonly kind: "died"; readonly cause: Cause };

/**
 * Finds out which era the server speaks and enters it, on the one connection there is (MCP 2026-07-28, Versioning).
 * Rejects with ConnectError when neither way leads to a session.
 */
export async function negotiate(channel: Channel, options: NegotiateOptions): Promise<Negotiated> {
  switch (options.plan) {
    case "legacy":
      return enterLegacy(channel, await greet(channel, options));
    case "modern":
      return enterModern(channel, options, await probe(channel, options), undefined);
    case "initialize-first":
      return initializeFirst(channel, options);
    case "probe-first":
      return probeFirst(channel, options);
  }
}

/** A server that refuses initialize may be a modern one: its answer to discover decides, its refusal is what is told. */
async function initializeFirst(channel: Channel, options: NegotiateOptions): Promise<Negotiated> {
  const greeting = await attempt(greet(channel, options));
  if (greeting.kind === "session") return enterLegacy(channel, greeting.session);
  const { info } = greeting.error;
  const wasAnswered = info.kind === "handshake-error" || info.kind === "version-mismatch" || isHttp4xx(info);
  if (!wasAnswered || !channel.open) throw greeting.error;
  return enterModern(channel, options, await probe(channel, options), greeting.error);
}

async function probeFirst(channel: Channel, options: NegotiateOptions): Promise<Negotiated> {
  const over = new AbortController();
  const signals = options.signal === undefined ? [over.signal] : [over.signal, options.signal];
  const probing = probe(channel, { ...options, signal: AbortSignal.any(signals) });
  const early = await orSilence(probing, options);
  if (early !== undefined) {
    if (early.kind === "unknown" && !channel.open && channel.transport.kind === "stdio")
      return { kind: "died", cause: early.cause };
    if (early.kind !== "legacy") return enterModern(channel, options, early, undefined);
    return enterLegacy(channel, await greet(channel, options));
  }
  // Both are on their way now. A server that takes initialize is pinned to the older era by it, whatever it says to discover.
  const greeting = await attempt(greet(channel, options));
  if (greeting.kind === "failed") return enterModern(channel, options, await probing, greeting.error);
  over.abort();
  return enterLegacy(channel, greeting.session);
}

function enterLegacy(channel: Channel, session: Session): Negotiated {
  settleLegacy(channel, session);
  return { kind: "session", era: "legacy", session };
}

function enterModern(
  channel: Channel,
  options: NegotiateOptions,
  verdict: EraVerdict,
  refusal: ConnectError | undefined,
): Negotiated {
  if (verdict.kind !== "modern") throw refusal ?? new ConnectError(causeOf(verdict, options));
  const { session } = verdict;
  channel.codec = modernCodec(session.protocolVersion, options.identity, options.logLevel);
  channel.transport.agreed(session.protocolVersion);
  return { kind: "session", era: "modern", session };
}

/** server/discover, once more when the server names another revision of ours. */
async function probe(channel: Channel, options: NegotiateOptions): Promise<EraVerdict> {
  const verdict = await discover(channel, options, modernRevisions[0]);
  return verdict.kind === "again" ? discover(channel, options, verdict.revision) : verdict;
}

async function discover(channel: Channel, options: NegotiateOptions, revision: string): Promise<EraVerdict> {
  const { dueAt, deadlines, signal, identity, who } = options;
  const reply = await request(channel, "server/discover", undefined, {
    dueAt,
    deadlines,
    cancellable: false,
    codec: modernCodec(revision, identity),
    ...(signal === undefined ? {} : { signal }),
  });
  const end: ProbeEnd =
    reply.kind === "result" || reply.kind === "error" || reply.kind === "lost"
      ? reply
      : { kind: "lost", sent: "unknown", cause: reply.kind === "refused" ? reply.cause : noAnswer(who) };
  return judgeProbe(end, who);
}

/** The verdict, or undefined when the hedge time has passed without one. */
function orSilence(
  probing: Promise<EraVerdict>,
  { deadlines, clock, hedgeMs }: NegotiateOptions,
): Promise<EraVerdict | undefined> {
  return new Promise((resolve) => {
    const limit: Dated = { dueAt: elapsedOf(clock) + hedgeMs, expire: () => resolve(undefined) };
    deadlines.add(limit);
    void probing.then(resolve).finally(() => deadlines.remove(limit));
  });
}

async function attempt(
  greeting: Promise<Session>,
): Promise<
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "failed"; readonly error: ConnectError }
> {
  try {
    return { kind: "session", session: await greeting };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    return { kind: "failed", error };
  }
}

function isHttp4xx({ kind, httpStatus }: Cause): boolean {
  return kind === "http-error" && httpStatus !== undefined && httpStatus >= 400 && httpStatus < 500;
}

function causeOf(verdict: Exclude<EraVerdict, { kind: "modern" }>, { who }: NegotiateOptions): Cause {
  if (verdict.kind === "refused" || verdict.kind === "unknown") return verdict.cause;
  if (verdict.kind === "again") {
    const message = `${who} names ${verdict.revision} and refuses to be asked in it`;
    return { kind: "version-mismatch", message };
  }
  const message = `${who} does not speak ${modernRevisions.join(", ")}; remove protocolVersion from its configuration, or use a newer server`;
  return { kind: "version-mismatch", message };
}

function noAnswer(who: string): Cause {
  return {
    kind: "connect-timeout",
    message: `${who} did not answer server/discover in time; raise connectTimeout if it needs longer to start`,
  };
}
