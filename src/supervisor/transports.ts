import type { Clock } from "../clock.js";
import type { ServerSpec } from "../config/spec.js";
import { childEnvironment } from "../policy/environment.js";
import type { Processes } from "../process/processes.js";
import type { Transport } from "../transport/transport.js";

export type OpenTransport = (spec: ServerSpec, generation: number) => Transport | Promise<Transport>;

/** Picks the transport of a server; the rooms behind HTTP are loaded when the first such server connects. */
export function createTransports(clock: Clock, processes: () => Promise<Processes>): OpenTransport {
  return async (spec, generation) => {
    const { id, limits, target, shutdown } = spec;
    switch (target.kind) {
      case "stdio": {
        const { createStdioTransport } = await import("../transport/stdio.js");
        const { env } = childEnvironment(process.env, { trusted: spec.trusted, target }, process.platform);
        return createStdioTransport({
          id,
          generation,
          target,
          env,
          limits,
          shutdown,
          clock,
          processes: await processes(),
        });
      }
      case "http": {
        const { createHttpTransport } = await import("../transport/http.js");
        return createHttpTransport({ id, target, limits, clock });
      }
      case "sse": {
        const { createSseTransport } = await import("../transport/sse.js");
        return createSseTransport({ id, target, limits, clock });
      }
    }
  };
}
