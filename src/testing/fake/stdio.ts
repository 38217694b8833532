import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { Carrier } from "./carrier.js";
import type { FakeBehaviour } from "./behaviour.js";
import type { Incoming, FakeFault, FakeWire, ProcessOrder } from "./types.js";
import { createFrames, frame } from "./frames.js";
import { relaySource } from "./relay.js";

/**
 * A fake server as a child process: the process is a small shipped program that hands its pipes to this one over a
 * loopback socket, so that its script can be code, and dies for real when it is told to.
 */
export async function stdioFake(behaviour: FakeBehaviour): Promise<Carrier> {
  const token = randomBytes(16).toString("hex");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    attach(behaviour, socket, token);
  });
  server.unref();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    config: { command: process.execPath, args: ["-e", relaySource, String(port), token] },
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  };
}

function attach(behaviour: FakeBehaviour, socket: Socket, token: string): void {
  let wire: FakeWire | undefined;
  let text = "";
  const decoder = new TextDecoder();
  socket.unref();

  const begin = (body: Buffer): void => {
    const hello = JSON.parse(body.toString()) as { token?: unknown };
    if (hello.token !== token) return void socket.destroy();
    wire = wireOf(socket, ++behaviour.generation);
    behaviour.wires.add(wire);
    for (const fault of behaviour.atOpen(behaviour.generation)) {
      if (fault.fault === "refuse") wire.end(fault.code ?? 1);
      else wire.order?.(orderOf(fault));
    }
  };
  const read = (body: Buffer): void => {
    text += decoder.decode(body, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) if (wire !== undefined) behaviour.receive(JSON.parse(line) as Incoming, wire);
  };
  socket.on(
    "data",
    createFrames((type, body) => {
      if (type === "H") begin(body);
      if (type === "I") read(body);
    }),
  );
  socket.on("close", () => {
    if (wire !== undefined) behaviour.wires.delete(wire);
  });
}

/** A fault of the begin of a process, as the order that makes it. */
function orderOf({ fault, stream, bytes = 1e6 }: FakeFault): ProcessOrder {
  if (fault === "fork") return { do: "fork", held: stream === "held" };
  if (fault === "flood") return { do: "flood", stream: stream === "stdout" ? "stdout" : "stderr", bytes };
  return { do: fault } as ProcessOrder;
}

function wireOf(socket: Socket, generation: number): FakeWire {
  const write = (text: string): void => void (socket.writable && socket.write(frame("O", text)));
  const order = (each: ProcessOrder): void =>
    void (socket.writable && socket.write(frame("C", JSON.stringify(each))));
  return {
    generation,
    send: (message) => write(`${JSON.stringify(message)}\n`),
    write,
    half(message) {
      const whole = JSON.stringify(message);
      write(whole.slice(0, whole.length / 2));
    },
    end: (code) => order(code < 0 ? { do: "exit", code: 1, signal: "SIGKILL" } : { do: "exit", code }),
    order,
  };
}
