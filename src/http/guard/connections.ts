import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Keeps at most `limit` connections. Above it the oldest one that has not sent a whole request head goes, then the
 * oldest idle one: clients that send nothing cannot keep those out that do. A full house of busy ones refuses.
 */
export function limitConnections(server: Server, limit: number): void {
  // Sets keep the order of insertion, so the first of each is its oldest.
  const silent = new Set<Socket>();
  const idle = new Set<Socket>();
  const busy = new Map<Socket, number>();

  server.on("connection", (socket: Socket) => {
    if (silent.size + idle.size + busy.size >= limit) {
      const victim = first(silent) ?? first(idle) ?? socket;
      forget(victim);
      victim.destroy();
    }
    if (socket.destroyed) return;
    silent.add(socket);
    socket.once("close", () => forget(socket));
  });

  server.prependListener("request", ({ socket }, response) => {
    silent.delete(socket);
    idle.delete(socket);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (busy.get(socket) ?? 1) - 1;
      if (left > 0) return void busy.set(socket, left);
      busy.delete(socket);
      if (!socket.destroyed) idle.add(socket);
    });
  });

  function forget(socket: Socket): void {
    silent.delete(socket);
    idle.delete(socket);
    busy.delete(socket);
  }
}

function first(sockets: ReadonlySet<Socket>): Socket | undefined {
  for (const socket of sockets) return socket;
  return undefined;
}
