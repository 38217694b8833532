import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { adapt } from "./sdkLike.mjs";

/** `@modelcontextprotocol/sdk` 1.x as its documentation uses it. */
export async function connect({ kind, command, args, env, url, limits = {} }) {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const transport =
    kind === "stdio"
      ? new StdioClientTransport({
          command,
          args,
          ...(env === undefined ? {} : { env: { ...process.env, ...env } }),
          ...(limits.messageBytes === undefined ? {} : { maxBufferSize: limits.messageBytes }),
        })
      : new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return adapt(client, (name, given, options) =>
    client.callTool({ name, arguments: given }, undefined, options),
  );
}
