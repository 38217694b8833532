import type { Cause, Sent } from "../errors.js";
import type { JsonRpcError } from "./jsonrpc.js";
import type { Session } from "./mcp.js";
import { isModern, legacyRevisions, modernRevisions, newestMutual, versionsNamedIn } from "./revision.js";
import { isRecord, readCapabilities, readServerInfo } from "./serverInfo.js";

/** A server speaks one of two families of revisions: with the initialize handshake, or without. */
export type Era = "legacy" | "modern";

/** How `server/discover` ended. */
export type ProbeEnd =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: JsonRpcError }
  | { readonly kind: "lost"; readonly sent: Sent; readonly cause: Cause };

/** What that says about the server (MCP 2026-07-28, Versioning / dual-era clients). */
export type EraVerdict =
  | { readonly kind: "modern"; readonly session: Session }
  /** It is modern and names a revision that we speak (even the one it was asked in: servers do that on a first contact). */
  | { readonly kind: "again"; readonly revision: string }
  | { readonly kind: "legacy" }
  /** It is modern, but refuses: no common revision, a header or a capability it misses. */
  | { readonly kind: "refused"; readonly cause: Cause }
  /** Nothing is known: it could not be reached, or wants credentials. */
  | { readonly kind: "unknown"; readonly cause: Cause };

/** Error codes that only servers of 2026-07-28 use (MCP 2026-07-28, error codes). */
export const modernErrors = {
  headerMismatch: -32_020,
  missingCapability: -32_021,
  unsupportedVersion: -32_022,
} as const;

/**
 * Judges the answer to `server/discover`. Only a DiscoverResult and the three error codes of 2026-07-28 are evidence
 * for a modern server; any other answer is evidence for a legacy one, whatever its code or status. `who` names the
 * server in messages.
 */
export function judgeProbe(end: ProbeEnd, who: string): EraVerdict {
  switch (end.kind) {
    case "result":
      return judgeDiscovery(end.result, who);
    case "error":
      return judgeError(end.error, who);
    case "lost":
      return isRefusal(end) ? { kind: "legacy" } : { kind: "unknown", cause: end.cause };
  }
}

function judgeDiscovery(result: unknown, who: string): EraVerdict {
  const versions = isRecord(result) ? result["supportedVersions"] : undefined;
  if (!isRecord(result) || !Array.isArray(versions) || !versions.every((each) => typeof each === "string"))
    return { kind: "legacy" };
  const revision = newestMutual(versions, modernRevisions);
  if (revision === undefined) return withoutModern(versions, who);
  const meta = isRecord(result["_meta"]) ? result["_meta"] : {};
  const { instructions } = result;
  return {
    kind: "modern",
    session: {
      protocolVersion: revision,
      server: readServerInfo(meta["io.modelcontextprotocol/serverInfo"] ?? result["serverInfo"]),
      capabilities: readCapabilities(result["capabilities"]),
      ...(typeof instructions === "string" ? { instructions } : {}),
    },
  };
}

function judgeError(error: JsonRpcError, who: string): EraVerdict {
  const { code, message } = error;
  if (code === modernErrors.unsupportedVersion) {
    const versions = versionsNamedIn(error.data);
    const revision = newestMutual(versions, modernRevisions);
    return revision === undefined ? withoutModern(versions, who) : { kind: "again", revision };
  }
  if (code === modernErrors.headerMismatch || code === modernErrors.missingCapability) {
    const cause: Cause = {
      kind: "handshake-error",
      message: `${who} refused server/discover: ${message} (code ${code})`,
    };
    return { kind: "refused", cause };
  }
  return { kind: "legacy" };
}

/** No revision without handshake is shared; the older ones may be. */
function withoutModern(versions: readonly string[], who: string): EraVerdict {
  if (newestMutual(versions, legacyRevisions) !== undefined) return { kind: "legacy" };
  const known = [...modernRevisions, ...legacyRevisions].join(", ");
  const message = `${who} speaks ${versions.join(", ") || "no revision it would name"}; known: ${known}. Use a server version that speaks one of these.`;
  return { kind: "refused", cause: { kind: "version-mismatch", message } };
}

/** An HTTP answer that refuses the request as such, as opposed to a server that cannot be had right now. */
function isRefusal({ cause, sent }: ProbeEnd & { kind: "lost" }): boolean {
  if (cause.kind === "http-error" || cause.kind === "session-lost" || cause.kind === "not-json") return true;
  // Servers and gateways that fail on what they do not know: initialize tells whether they fail on everything.
  if (cause.kind === "server-error" && sent === "yes") return true;
  // A 2xx without a body, or a stream that ended without an answer.
  return cause.kind === "reset" && sent === "yes";
}

/** How a server is approached. */
export type EraPlan =
  /** initialize and nothing else. */
  | "legacy"
  /** server/discover and nothing else. */
  | "modern"
  /** initialize; server/discover only when that is refused. */
  | "initialize-first"
  /** server/discover; initialize when it is refused or nothing came for a while. */
  | "probe-first";

/**
 * The plan for a server: a pinned revision leaves no choice, and a known era is tried first. Over stdio an unknown
 * server is asked to initialize first: there are servers that exit, fall silent or lose count on an unknown first
 * message, and no server that minds initialize; over HTTP a refused probe harms nothing. `auto` probes everywhere.
 */
export function planFor(
  pinned: string | undefined,
  known: Era | undefined,
  transport: "stdio" | "http" | "sse",
): EraPlan {
  if (transport === "sse") return "legacy";
  if (pinned !== undefined && pinned !== "auto") return isModern(pinned) ? "modern" : "legacy";
  if (known === "legacy") return "initialize-first";
  if (known === "modern" || pinned === "auto" || transport === "http") return "probe-first";
  return "initialize-first";
}
