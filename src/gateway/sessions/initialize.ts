import { hostOf } from "../consumers/peer.js";
import { codes, failed, isRecord, legacyRevisions, loopOf } from "../contract/protocol.js";
import type { RpcError } from "../contract/protocol.js";
import type { Agreed } from "./session.js";

/** The revision asked for where it is one of ours, the newest legacy one otherwise (MCP 2025-11-25, Lifecycle). */
export function agreeOn(params: unknown, own?: string): Agreed | { readonly error: RpcError } {
  if (!isRecord(params) || typeof params["protocolVersion"] !== "string")
    return failed(codes.invalidParams, "initialize needs protocolVersion, capabilities and clientInfo");
  const { protocolVersion, capabilities, clientInfo } = params;
  const loop = loopOf(clientInfo, params, own);
  if (loop !== undefined) return { error: loop };
  const revision = legacyRevisions.includes(protocolVersion) ? protocolVersion : (legacyRevisions[0] ?? "");
  return { revision, capabilities: isRecord(capabilities) ? capabilities : {}, client: hostOf(clientInfo) };
}
