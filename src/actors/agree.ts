import { elapsedOf } from "../clock.js";
import type { ServerSpec } from "../spec.js";
import { ConnectError } from "../errors.js";
import type { Session } from "../protocol/mcp.js";
import { planFor } from "../protocol/negotiation.js";
import type { EraPlan } from "../protocol/negotiation.js";
import { isModern, preferredLegacy } from "../protocol/revision.js";
import type { Channel } from "../rpc/channel.js";
import { handshake } from "../rpc/handshake.js";
import { negotiate } from "../rpc/negotiate.js";
import type { NegotiateOptions, Negotiated } from "../rpc/negotiate.js";
import type { LifePorts } from "./lifePorts.js";

/** How long a probe may be silent before initialize is sent too: a server that ignores what it does not know. */
const hedgeMs = { stdio: 1500, http: 4000 } as const;

/** The connection of a life, as the agreement needs it. */
export interface Reconnectable {
  readonly spec: ServerSpec;
  readonly who: string;
  conversation(): Channel;
  /** Ends the connection and opens another one within the same life: no new generation, nothing against the budget. */
  reopen(kind?: "sse"): Promise<Channel>;
}

/**
 * Agrees with a server on a revision, by the era that is remembered, pinned or found out, and remembers what it found.
 * Rejects with ConnectError.
 */
export async function agree(
  connection: Reconnectable,
  ports: LifePorts,
  signal?: AbortSignal,
): Promise<Session> {
  const { fingerprint, protocolVersion, target } = connection.spec;
  const isOpenChoice = isOpen(protocolVersion);
  const known = isOpenChoice ? await ports.eras.known(fingerprint) : undefined;
  const plan = planFor(protocolVersion, known, target.kind);
  try {
    const found = await settle(connection, ports, plan, signal);
    if (isOpenChoice && found.era !== known && isWorthRemembering(found.era, plan))
      ports.eras.remember(fingerprint, found.era);
    return found.session;
  } catch (error) {
    // What was remembered may be why it was refused: the next try finds out anew.
    if (known !== undefined && isRefusal(error)) ports.eras.remember(fingerprint, undefined);
    throw error;
  }
}

/** A new session on the connection there is, after the server has forgotten the old one. Rejects with ConnectError. */
export function agreeAgain(connection: Reconnectable, ports: LifePorts): Promise<Session> {
  return handshake(connection.conversation(), optionsOf(connection, ports, "legacy", undefined));
}

async function settle(
  connection: Reconnectable,
  ports: LifePorts,
  plan: EraPlan,
  signal: AbortSignal | undefined,
): Promise<Negotiated & { kind: "session" }> {
  let found: Negotiated;
  try {
    found = await negotiate(connection.conversation(), optionsOf(connection, ports, plan, signal));
  } catch (error) {
    if (plan === "modern" || !mayBeSse(connection, error)) throw error;
    found = await overSse(connection, ports, error, signal);
  }
  if (found.kind === "session") return found;
  const channel = await connection.reopen();
  const again = await negotiate(channel, optionsOf(connection, ports, "legacy", signal));
  if (again.kind === "died") throw new ConnectError(again.cause);
  return again;
}

/** The first refusal is what is told when it is no HTTP+SSE server either. */
async function overSse(
  connection: Reconnectable,
  ports: LifePorts,
  refusal: unknown,
  signal: AbortSignal | undefined,
): Promise<Negotiated> {
  let channel: Channel;
  try {
    channel = await connection.reopen("sse");
  } catch {
    throw refusal;
  }
  return negotiate(channel, optionsOf(connection, ports, "legacy", signal));
}

function isRefusal(error: unknown): boolean {
  const kind = error instanceof ConnectError ? error.info.kind : undefined;
  return kind === "handshake-error" || kind === "version-mismatch" || kind === "http-error";
}

/** An address that refuses a POST may be that of an older server (MCP 2025-11-25, Transports / backwards compatibility). */
function mayBeSse({ spec }: Reconnectable, error: unknown): boolean {
  if (spec.target.kind !== "http" || !(error instanceof ConnectError)) return false;
  const { kind, httpStatus } = error.info;
  return kind === "http-error" && (httpStatus === 400 || httpStatus === 404 || httpStatus === 405);
}

/** Nothing is pinned. */
function isOpen(protocolVersion: string | undefined): protocolVersion is "auto" | undefined {
  return protocolVersion === undefined || protocolVersion === "auto";
}

/** initialize is what an unknown process gets anyway. */
function isWorthRemembering(era: "legacy" | "modern", plan: EraPlan): boolean {
  return era === "modern" || plan === "probe-first";
}

function optionsOf(
  { spec, who }: Reconnectable,
  ports: LifePorts,
  plan: EraPlan,
  signal: AbortSignal | undefined,
): NegotiateOptions {
  const { identity, deadlines, clock, logLevel } = ports;
  const { protocolVersion } = spec;
  return {
    identity,
    offer: isOpen(protocolVersion) || isModern(protocolVersion) ? preferredLegacy : protocolVersion,
    dueAt: signal === undefined ? elapsedOf(clock) + spec.connectTimeoutMs : Infinity,
    deadlines,
    clock,
    who,
    plan,
    hedgeMs: spec.target.kind === "stdio" ? hedgeMs.stdio : hedgeMs.http,
    ...(logLevel === undefined ? {} : { logLevel }),
    ...(signal === undefined ? {} : { signal }),
  };
}
