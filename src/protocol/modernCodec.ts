import type { ClientIdentity, Codec } from "./codec.js";
import { metaOf, plainNotification } from "./codec.js";

/** The extension under which a server may answer a call with a task (MCP 2026-07-28, Tasks extension). */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/**
 * The codec of 2026-07-28: no handshake, so every request says in `_meta` which revision it speaks, who we are and what
 * we can do (MCP 2026-07-28, Base Protocol / `_meta`). `logLevel` asks for log messages; without it a server sends none.
 */
export function modernCodec(revision: string, identity: ClientIdentity, logLevel?: string): Codec {
  const who = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": identity.info,
  };
  const whoJson = JSON.stringify(who).slice(1, -1);
  const meta = {
    ...who,
    "io.modelcontextprotocol/clientCapabilities": {
      ...(identity.own ?? identity.capabilities),
      extensions: { [tasksExtension]: {} },
    },
    ...(logLevel === undefined ? {} : { "io.modelcontextprotocol/logLevel": logLevel }),
  };
  const metaJson = JSON.stringify(meta).slice(1, -1);
  return {
    revision,
    modern: true,
    request(id, method, params, progress) {
      const _meta = { ...meta, ...metaOf(params), ...(progress ? { progressToken: id } : {}) };
      return JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
    },
    call(id, nameJson, argumentsJson, extraJson, moreJson, voice) {
      if (voice !== undefined) {
        const token = voice.progress ? `,"progressToken":${id}` : "";
        return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${extraJson}"_meta":{${whoJson},${moreJson}"io.modelcontextprotocol/clientCapabilities":${voice.capabilitiesJson}${token}},"name":${nameJson},"arguments":${argumentsJson}}}`;
      }
      return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${extraJson}"_meta":{${metaJson},${moreJson}"progressToken":${id}},"name":${nameJson},"arguments":${argumentsJson}}}`;
    },
    notification: plainNotification,
  };
}
