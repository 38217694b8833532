import type { ConnectionRequest, Transport, TransportEnd } from "../../index.js";
import { ConnectError, createMemoryPair } from "../../inner.js";
import type { MemoryServer } from "../../inner.js";
import type { FakeBehaviour } from "./behaviour.js";
import type { Incoming, FakeFault, FakeWire } from "./types.js";

/** The connection of one life to a fake server in this process. */
export function memoryLife(behaviour: FakeBehaviour, { id, generation }: ConnectionRequest): Transport {
  let wire: FakeWire | undefined;
  let faults: FakeFault[] = [];
  const { healings } = behaviour;
  /** What it was told to do at its end, unless it was healed since. */
  const atEnd = (name: FakeFault["fault"]): FakeFault | undefined =>
    behaviour.healings === healings ? faults.find(({ fault }) => fault === name) : undefined;
  const { transport } = createMemoryPair({
    onOpen(server) {
      behaviour.generation = generation;
      faults = behaviour.atOpen(generation);
      const refusal = faults.find(({ fault }) => fault === "refuse");
      if (refusal !== undefined)
        throw new ConnectError({
          kind: "refused",
          message: refusal.text ?? `server "${id}" refused the connection`,
        });
      wire = wireOf(behaviour, server, generation);
      behaviour.wires.add(wire);
      server.onMessage = (message) => {
        if (wire !== undefined) behaviour.receive(message as Incoming, wire);
      };
    },
  });
  const drop = (): void => {
    if (wire !== undefined) behaviour.wires.delete(wire);
  };
  return {
    ...transport,
    overlaps: () => behaviour.script.overlaps === true,
    async close() {
      const slow = atEnd("slow-close");
      if (slow !== undefined) await new Promise<void>((done) => behaviour.later(slow.ms ?? 1000, done));
      drop();
      return { ...(await transport.close()), ...leftovers(behaviour, atEnd("survivors")) };
    },
    kill() {
      drop();
      transport.kill();
    },
  };
}

function wireOf(behaviour: FakeBehaviour, server: MemoryServer, generation: number): FakeWire {
  const wire: FakeWire = {
    generation,
    send: (message) => server.send(message),
    // Nothing comes in halves here: what is not complete never arrives.
    half: () => undefined,
    end(code) {
      behaviour.wires.delete(wire);
      server.close({
        kind: "crashed",
        message: `the fake server ended with exit code ${code}`,
        exitCode: code,
      });
    },
    expire: (id) =>
      server.lose(id as number, {
        sent: "no",
        cause: { kind: "session-lost", message: "the session is unknown to the fake server" },
      }),
  };
  return wire;
}

/** Process ids that cannot be ended, as a real close would report them; each report uses up one of `count`. */
function leftovers(behaviour: FakeBehaviour, fault: FakeFault | undefined): Partial<TransportEnd> {
  if (fault === undefined) return {};
  behaviour.stuck = (behaviour.stuck ?? fault.count ?? 1) - 1;
  if (behaviour.stuck >= 0) return { survivors: [999_999_999], forced: true };
  behaviour.stuck = undefined;
  return {};
}
