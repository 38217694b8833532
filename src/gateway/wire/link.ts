import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Consumers } from "../consumers/consumers.js";
import type { Core } from "../requests/core.js";
import { hashToken } from "../consumers/tokens.js";
import { consumerHeader, linkProtocol, serverHeader } from "./linkHead.js";
import { serveStreams } from "./stream.js";

/**
 * Turns the connection of a stdio front into lines of MCP. The front shows the token of the state folder, which only this
 * user can read, and names its consumer; a name that is not known yet is one with the defaults.
 */
export function acceptLink(
  core: Core,
  consumers: Consumers,
  ownerToken: string,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  socket.on("error", () => undefined);
  const { authorization = "", upgrade = "" } = incoming.headers;
  const name = String(incoming.headers[consumerHeader] ?? "local");
  if (upgrade.toLowerCase() !== linkProtocol) return refuse(socket, "426 Upgrade Required");
  if (!isSame(authorization.replace(/^Bearer /i, ""), ownerToken)) return refuse(socket, "401 Unauthorized");
  if (!/^[a-z0-9][a-z0-9_-]{0,31}$/.test(name)) return refuse(socket, "400 Bad Request");
  const consumer = consumers.ensure(name);
  const only = incoming.headers[serverHeader];
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${linkProtocol}\r\n\r\n`);
  if (head.length > 0) socket.unshift(head);
  void serveStreams(core, consumer, typeof only === "string" ? only : undefined, socket, socket);
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(expected)));
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
