import { ConnectError } from "../errors.js";
import type { Cause } from "../errors.js";
import type { ClientIdentity } from "../protocol/codec.js";
import { legacyCodec } from "../protocol/codec.js";
import type { JsonRpcError } from "../protocol/jsonrpc.js";
import type { Session } from "../protocol/mcp.js";
import { readCapabilities, readServerInfo } from "../protocol/serverInfo.js";
import { isLegacy, legacyRevisions, newestMutual, otherVersionsIn } from "../protocol/revision.js";
import { quoted } from "../protocol/visible.js";
import type { Channel } from "./channel.js";
import type { Deadlines } from "./deadlines.js";
import type { Reply } from "./pending.js";
import { request } from "./request.js";

export interface HandshakeOptions {
  readonly identity: ClientIdentity;
  readonly offer: string;
  readonly dueAt: number;
  readonly deadlines: Deadlines;
  readonly signal?: AbortSignal;
  /** For messages: `server "files"`. */
  readonly who: string;
}

/**
 * initialize, then `notifications/initialized` (MCP 2025-11-25, Lifecycle). Rejects with ConnectError: an error answer,
 * a version we do not speak (both named), a loss, or the deadline. A server that refuses the offered version and names
 * others is asked once more with the newest we share.
 */
export async function handshake(channel: Channel, options: HandshakeOptions): Promise<Session> {
  const session = await greet(channel, options);
  settleLegacy(channel, session);
  return session;
}

/** The first half: initialize. The session is not in force before `settleLegacy`. */
export async function greet(channel: Channel, options: HandshakeOptions): Promise<Session> {
  let reply = await ask(channel, options, options.offer);
  if (reply.kind === "error") {
    const other = newestMutual(otherVersionsIn(reply.error, options.offer), legacyRevisions);
    if (other !== undefined) reply = await ask(channel, options, other);
  }
  return sessionOf(reply, options);
}

/** The second half: the channel speaks the agreed revision from here on, and the server is told so. */
export function settleLegacy(channel: Channel, session: Session): void {
  channel.codec = legacyCodec(session.protocolVersion);
  channel.transport.agreed(session.protocolVersion);
  channel.notify("notifications/initialized");
  channel.transport.listen();
}

function ask(channel: Channel, options: HandshakeOptions, version: string): Promise<Reply> {
  const params = {
    protocolVersion: version,
    capabilities: options.identity.capabilities,
    clientInfo: options.identity.info,
  };
  const { dueAt, deadlines, signal } = options;
  return request(channel, "initialize", params, {
    dueAt,
    deadlines,
    cancellable: false,
    ...(signal === undefined ? {} : { signal }),
  });
}

function sessionOf(reply: Reply, options: HandshakeOptions): Session {
  if (reply.kind !== "result") throw new ConnectError(causeOf(reply, options));
  const result = reply.result as Record<string, unknown> | null;
  const version: unknown =
    typeof result === "object" && result !== null ? result["protocolVersion"] : undefined;
  if (typeof version !== "string" || !isLegacy(version)) {
    throw new ConnectError({
      kind: "version-mismatch",
      message: `${options.who} answered initialize with protocol version ${quoted(JSON.stringify(version ?? null))}; offered ${options.offer}, known: ${legacyRevisions.join(", ")}. Use a server version that speaks one of these.`,
    });
  }
  const { serverInfo, capabilities, instructions } = result as Record<string, unknown>;
  return {
    protocolVersion: version,
    server: readServerInfo(serverInfo),
    capabilities: readCapabilities(capabilities),
    ...(typeof instructions === "string" ? { instructions } : {}),
  };
}

function causeOf(reply: Exclude<Reply, { kind: "result" }>, { who, offer }: HandshakeOptions): Cause {
  switch (reply.kind) {
    case "error":
      return refusedCause(reply.error, who, offer);
    case "lost":
    case "refused":
      return reply.cause;
    case "timeout":
      return {
        kind: "connect-timeout",
        message: `${who} did not answer initialize in time; raise connectTimeout if it needs longer to start`,
      };
    case "cancelled":
      return { kind: "connect-timeout", message: `${who}: the handshake was given up` };
  }
}

function refusedCause(error: JsonRpcError, who: string, offer: string): Cause {
  const named = otherVersionsIn(error, offer);
  const versions = named.length === 0 ? "" : `; it names ${quoted(named.join(", "))}`;
  return {
    kind: named.length === 0 ? "handshake-error" : "version-mismatch",
    message: `${who} refused initialize (offered ${offer}${versions}): ${quoted(error.message)} (code ${error.code})`,
  };
}
