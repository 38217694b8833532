import type { Life } from "../../actors/life.js";
import type { RawTool } from "../../protocol/mcp.js";
import { behalfMeta, behalfRetry } from "../../protocol/behalf.js";
import type { Behalf } from "../../protocol/behalf.js";
import { tasksExtension } from "../../protocol/modernCodec.js";
import { headerValue } from "../../protocol/requestHeaders.js";
import { mustBeTask } from "../../protocol/tasks.js";
import type { Channel } from "../../rpc/channel.js";
import { paramHeaders } from "../../tools/paramHeaders.js";
import type { Call } from "../state/serverRecord.js";

/** What a call needs besides name and arguments on this connection. A plain call of the legacy era needs nothing. */
export function fillEnvelope(call: Call, life: Life): void {
  const { tool } = call.start.entry;
  const { channel, session } = life;
  if (call.behalf !== undefined)
    call.metaJson = call.hostMetaJson + behalfMeta(call.behalf, channel?.codec.modern === true);
  if (channel?.codec.modern === true) {
    call.extraJson = call.behalf === undefined ? "" : behalfRetry(call.behalf);
    setCallHeaders(call, tool, channel);
  } else if (tool.execution?.taskSupport === "required" && session !== undefined) {
    call.asTask = mustBeTask(tool, session.capabilities);
    call.extraJson = call.asTask ? '"task":{},' : "";
  }
}

/** What a call on somebody's behalf says differently: their capabilities, and progress only if they want it. */
export function speakFor(call: Call, behalf: Behalf): void {
  const capabilities = { ...behalf.capabilities, extensions: { [tasksExtension]: {} } };
  call.hostMetaJson = call.metaJson;
  call.voice = {
    capabilitiesJson: JSON.stringify(capabilities),
    progress: call.start.onProgress !== undefined,
  };
}

/** The headers that repeat name and marked arguments of a call (MCP 2026-07-28, Transports / request headers). */
export function setCallHeaders(call: Call, tool: RawTool, { transport, codec }: Channel): void {
  if (!codec.modern || transport.kind !== "http") return;
  call.headers = {
    "mcp-name": headerValue(tool.name),
    ...paramHeaders(tool, call.start.argumentsJson),
  };
}

/** Stops the server's work on a call that nobody waits for. */
export function giveUp(call: Call, reason: string): void {
  if (call.cancelTask === undefined) call.channel?.giveUp(call, reason, true);
  else call.cancelTask();
}
