import type { SupervisorOptions, TransportSource } from "../index.js";
import { faultTable } from "./fake/faults.js";
import { FakeBehaviour } from "./fake/behaviour.js";
import { httpFake } from "./fake/http.js";
import { memoryLife } from "./fake/memory.js";
import { stdioFake } from "./fake/stdio.js";
import type { FakeFault, FakeScript, FakeServer, Medium } from "./fake/types.js";
import type { Carrier } from "./fake/carrier.js";

/**
 * Starts a scripted MCP server. Throws TypeError for a fault that its medium cannot have. `close` gives back its
 * processes and sockets; until then it answers to any number of supervisors, one after the other.
 */
export async function fakeServer(script: FakeScript): Promise<FakeServer> {
  const medium = script.over ?? "memory";
  for (const fault of script.faults ?? []) refuseImpossible(fault, medium);
  const behaviour = new FakeBehaviour(script);
  const carrier = await carry(behaviour, medium);
  return {
    id: script.id,
    medium,
    config: { ...carrier.config, ...script.config, id: script.id },
    source: carrier.source,
    received: behaviour.received,
    answers: behaviour.answers,
    get lives() {
      return behaviour.wires.size;
    },
    get generation() {
      return behaviour.generation;
    },
    reached: behaviour.reached,
    inject(fault) {
      refuseImpossible(fault, medium);
      return behaviour.inject(fault);
    },
    heal: () => behaviour.heal(),
    crash(code = 1) {
      for (const wire of behaviour.wires) wire.end(code);
    },
    send: (message) => behaviour.tell(message),
    offer: (tools, { quiet = false } = {}) => behaviour.offer(tools, quiet),
    close: () => carrier.close(),
  };
}

/** The options that put fake servers into a supervisor: `createSupervisor({...fleetOf(files, web), mode})`. */
export function fleetOf(
  ...fakes: readonly FakeServer[]
): Required<Pick<SupervisorOptions, "servers" | "transports">> {
  const transports: Record<string, TransportSource> = {};
  for (const { id, source } of fakes) if (source !== undefined) transports[id] = source;
  return { servers: fakes.map(({ config }) => config), transports };
}

function carry(behaviour: FakeBehaviour, medium: Medium): Promise<Carrier> | Carrier {
  switch (medium) {
    case "stdio":
      return stdioFake(behaviour);
    case "http":
      return httpFake(behaviour);
    case "memory":
      return {
        // Never started: the source stands in for it.
        config:
          behaviour.script.overlaps === true
            ? { url: "https://in-memory.invalid/" }
            : { command: "in-memory" },
        source: (request) => memoryLife(behaviour, request),
        close: async () => {
          for (const wire of behaviour.wires) wire.end(0);
        },
      };
  }
}

function refuseImpossible({ fault }: FakeFault, medium: Medium): void {
  const { over } = faultTable[fault];
  if (over !== undefined && !over.includes(medium))
    throw new TypeError(
      `a fake server over ${medium} cannot have the fault "${fault}"; it needs ${over.join(" or ")}`,
    );
}
