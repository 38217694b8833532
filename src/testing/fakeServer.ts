import type { ServerConfig, SupervisorOptions, TransportSource } from "../index.js";
import { acts } from "./fake/acts.js";
import { FakeBrain } from "./fake/brain.js";
import { httpFake } from "./fake/http.js";
import { memoryLife } from "./fake/memory.js";
import { stdioFake } from "./fake/stdio.js";
import type { FakeFault, FakeScript, FakeServer, Medium } from "./fake/types.js";

/** What carries a fake server. */
export interface Carrier {
  readonly config: Partial<ServerConfig>;
  readonly source?: TransportSource;
  close(): Promise<void>;
}

/**
 * Starts a scripted MCP server. Throws TypeError for a fault that its medium cannot have. `close` gives back its
 * processes and sockets; until then it answers to any number of supervisors, one after the other.
 */
export async function fakeServer(script: FakeScript): Promise<FakeServer> {
  const medium = script.over ?? "memory";
  for (const fault of script.faults ?? []) refuseImpossible(fault, medium);
  const brain = new FakeBrain(script);
  const carrier = await carry(brain, medium);
  return {
    id: script.id,
    medium,
    config: { ...carrier.config, ...script.config, id: script.id },
    source: carrier.source,
    received: brain.received,
    answers: brain.answers,
    get lives() {
      return brain.wires.size;
    },
    get generation() {
      return brain.generation;
    },
    reached: brain.reached,
    inject(fault) {
      refuseImpossible(fault, medium);
      return brain.inject(fault);
    },
    heal: () => brain.heal(),
    crash(code = 1) {
      for (const wire of brain.wires) wire.end(code);
    },
    send: (message) => brain.tell(message),
    offer: (tools, { quiet = false } = {}) => brain.offer(tools, quiet),
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

function carry(brain: FakeBrain, medium: Medium): Promise<Carrier> | Carrier {
  switch (medium) {
    case "stdio":
      return stdioFake(brain);
    case "http":
      return httpFake(brain);
    case "memory":
      return {
        // Never started: the source stands in for it.
        config:
          brain.script.overlaps === true ? { url: "https://in-memory.invalid/" } : { command: "in-memory" },
        source: (request) => memoryLife(brain, request),
        close: async () => {
          for (const wire of brain.wires) wire.end(0);
        },
      };
  }
}

function refuseImpossible({ fault }: FakeFault, medium: Medium): void {
  const { over } = acts[fault];
  if (over !== undefined && !over.includes(medium))
    throw new TypeError(
      `a fake server over ${medium} cannot have the fault "${fault}"; it needs ${over.join(" or ")}`,
    );
}
