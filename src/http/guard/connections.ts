import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Keeps at most `limit` connections. Above it the one goes that is worth least, the oldest first: one that has not sent a
 * whole request head, one that never showed who it is (idle or in the middle of a request), then an idle one. A full
 * house of busy known ones refuses. Whoever shows nothing can keep nobody out.
 */
export function limitConnections(
  server: Server,
  limit: number,
  isKnown: (incoming: IncomingMessage) => boolean,
): void {
  // Maps keep the order of insertion, so the first of a kind is its oldest.
  const open = new Map<Socket, { busy: number; kind: "silent" | "stranger" | "known" }>();

  server.on("connection", (socket: Socket) => {
    if (open.size >= limit) {
      const victim = worthLeast() ?? socket;
      open.delete(victim);
      victim.destroy();
    }
    if (socket.destroyed) return;
    open.set(socket, { busy: 0, kind: "silent" });
    socket.once("close", () => open.delete(socket));
  });

  server.prependListener("request", seen);
  server.prependListener("checkContinue", seen);

  function seen(
    incoming: IncomingMessage,
    response: { once(name: "close", done: () => void): unknown },
  ): void {
    const { socket } = incoming;
    const state = open.get(socket);
    if (state === undefined) return;
    if (state.kind !== "known") state.kind = isKnown(incoming) ? "known" : "stranger";
    state.busy++;
    response.once("close", () => {
      state.busy--;
      // Idle from now on: younger than those that have been for longer.
      if (state.busy === 0 && open.delete(socket) && !socket.destroyed) open.set(socket, state);
    });
  }

  function worthLeast(): Socket | undefined {
    let idle: Socket | undefined;
    let stranger: Socket | undefined;
    for (const [socket, { kind, busy }] of open) {
      if (kind === "silent") return socket;
      if (kind === "stranger") stranger ??= socket;
      else if (busy === 0) idle ??= socket;
    }
    return stranger ?? idle;
  }
}
