import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { adapt } from "../../clients/sdkLike.mjs";

/** `@modelcontextprotocol/client` 2.x as its documentation uses it. */
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
  return adapt(client, (name, given, options) => client.callTool({ name, arguments: given }, options));
}
