import type { FakeTool, FakeWire, Incoming } from "./types.js";

/** What a fault needs of the server that it happens to. */
export interface FaultyServer {
  readonly tools: readonly FakeTool[];
  readonly wires: ReadonlySet<FakeWire>;
  /** How often it was healed: what a fault keeps doing ends with the next one. */
  readonly healings: number;
  later(ms: number, action: () => void): void;
}

/** A message that met its fault. */
export interface Hit {
  readonly wire: FakeWire;
  readonly message: Incoming;
  readonly server: FaultyServer;
  /** What a healthy server would say; resolves after its latency. */
  answer(): Promise<object | undefined>;
}

/** Hands over the answer once it is there, if its connection still is; a server that was healed since just sends it. */
export function replyThen(hit: Hit, then: (reply: object) => void): void {
  const { server, wire } = hit;
  const { healings } = server;
  const waitForIt = async (): Promise<void> => {
    const reply = await hit.answer();
    if (reply === undefined || !server.wires.has(wire)) return;
    if (server.healings === healings) then(reply);
    else wire.send(reply);
  };
  void waitForIt();
}

/** Tells progress every so often, until the connection or the fault has ended. */
export function progressForever(hit: Hit, everyMs: number, done: number, healings: number): void {
  const { wire, message, server } = hit;
  if (!server.wires.has(wire) || server.healings !== healings) return;
  wire.send({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: message.id, progress: done },
  });
  server.later(everyMs, () => progressForever(hit, everyMs, done + 1, healings));
}

/** `{id}` in a raw text stands for the id of the request. */
export function filled(text: string, { id }: Incoming): string {
  return text.replaceAll("{id}", JSON.stringify(id));
}
