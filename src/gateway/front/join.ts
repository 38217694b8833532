import { request } from "node:http";
import type { Duplex } from "node:stream";
import { consumerHeader, linkPath, linkProtocol, serverHeader } from "../wire/linkHead.js";

/** Where a service listens, as its state folder says, and what opens it. */
export interface ServiceAddress {
  /** Its address, such as `http://127.0.0.1:7420`. */
  readonly url?: string;
  /** Path of its unix socket, in place of an address. */
  readonly socket?: string;
  /** The token of the state folder. */
  readonly token: string;
}

/** Opens a connection of lines to a running service; rejects when nobody answers or it refuses. */
export function joinService(
  { url, socket, token }: ServiceAddress,
  as: string,
  only?: string,
  ms = 5000,
): Promise<Duplex> {
  const base = new URL(url ?? "http://localhost");
  const to = socket === undefined ? { host: base.hostname, port: base.port } : { socketPath: socket };
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...to,
      path: linkPath,
      timeout: ms,
      headers: {
        connection: "Upgrade",
        upgrade: linkProtocol,
        authorization: `Bearer ${token}`,
        [consumerHeader]: as,
        ...(only === undefined ? {} : { [serverHeader]: only }),
      },
    });
    outgoing.once("upgrade", (_response, connection: Duplex, head: Buffer) => {
      connection.on("error", () => undefined);
      if (head.length > 0) connection.unshift(head);
      resolve(connection);
    });
    outgoing.once("response", (response) => {
      response.resume();
      reject(new Error(`the service refused the connection (status ${response.statusCode ?? 0})`));
    });
    outgoing.once("timeout", () => outgoing.destroy(new Error("the service did not answer in time")));
    outgoing.once("error", reject);
    outgoing.end();
  });
}
