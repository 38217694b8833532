import type { ClientIdentity, Codec } from "./codec.js";
import { metaOf, plainNotification } from "./codec.js";

/** The extension under which a server may answer a call with a task (MCP 2026-07-28, Tasks extension). */
const tasksExtension = "io.modelcontextprotocol/tasks";

/**
 * The codec of 2026-07-28: no handshake, so every request says in `_meta` which revision it speaks, who we are and what
 * we can do (MCP 2026-07-28, Base Protocol / `_meta`). `logLevel` asks for log messages; without it a server sends none.
 */
export function modernCodec(revision: string, identity: ClientIdentity, logLevel?: string): Codec {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": identity.info,
    "io.modelcontextprotocol/clientCapabilities": {
      ...identity.capabilities,
      extensions: { [tasksExtension]: {} },
    },
    ...(logLevel === undefined ? {} : { "io.modelcontextprotocol/logLevel": logLevel }),
  };
  const metaJson = JSON.stringify(meta).slice(1, -1);
  return {
    revision,
    modern: true,
    request(id, method, params, progress) {
      const _meta = { ...metaOf(params), ...meta, ...(progress ? { progressToken: id } : {}) };
      return JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
    },
    call(id, nameJson, argumentsJson, extraJson, moreJson) {
      return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${extraJson}"_meta":{${metaJson},${moreJson}"progressToken":${id}},"name":${nameJson},"arguments":${argumentsJson}}}`;
    },
    notification: plainNotification,
  };
}
