import type { Life } from "../../actors/life.js";
import type { RawTool } from "../../protocol/mcp.js";
import { headerValue } from "../../protocol/requestHeaders.js";
import { mustBeTask } from "../../protocol/tasks.js";
import type { Channel } from "../../rpc/channel.js";
import { paramHeaders } from "../../tools/paramHeaders.js";
import type { Call } from "../state/serverRecord.js";

/** What a call needs besides name and arguments on this connection. A plain call of the legacy era needs nothing. */
export function fillEnvelope(call: Call, life: Life): void {
  const { tool } = call.start.entry;
  const { channel, session } = life;
  if (channel?.codec.modern === true) {
    call.extraJson = "";
    setCallHeaders(call, tool, channel);
  } else if (tool.execution?.taskSupport === "required" && session !== undefined) {
    call.asTask = mustBeTask(tool, session.capabilities);
    call.extraJson = call.asTask ? '"task":{},' : "";
  }
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
