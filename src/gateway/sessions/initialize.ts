import { hostOf } from "../consumers/peer.js";
import { codes, failed, isRecord, legacyRevisions } from "../contract/protocol.js";
import type { RpcError } from "../contract/protocol.js";
import type { Agreed } from "./session.js";

/** The revision asked for where it is one of ours, the newest legacy one otherwise (MCP 2025-11-25, Lifecycle). */
export function agreeOn(params: unknown): Agreed | { readonly error: RpcError } {
  if (!isRecord(params) || typeof params["protocolVersion"] !== "string")
    return failed(codes.invalidParams, "initialize needs protocolVersion, capabilities and clientInfo");
  const { protocolVersion, capabilities, clientInfo } = params;
  const revision = legacyRevisions.includes(protocolVersion) ? protocolVersion : (legacyRevisions[0] ?? "");
  return { revision, capabilities: isRecord(capabilities) ? capabilities : {}, client: hostOf(clientInfo) };
}
