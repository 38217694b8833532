import type { Clock } from "../clock.js";
import type { LifeSite } from "../actors/site.js";
import { childEnvironment } from "../policy/environment.js";
import type { Processes } from "../process/processes.js";
import type { HttpOptions } from "../transport/http.js";
import type { Transport } from "../transport/transport.js";

export type OpenTransport = LifeSite["transport"];

/** Picks the transport of a server; the rooms behind HTTP are loaded when the first such server connects. */
export function createTransports(clock: Clock, processes: () => Promise<Processes>): OpenTransport {
  return async (spec, generation, kind) => {
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
        if (kind === "sse") return openSse({ id, target, limits, clock });
        const { createHttpTransport } = await import("../transport/http.js");
        return createHttpTransport({ id, target, limits, clock });
      }
      case "sse":
        return openSse({ id, target, limits, clock });
    }
  };
}

async function openSse(options: HttpOptions): Promise<Transport> {
  const { createSseTransport } = await import("../transport/sse.js");
  return createSseTransport(options);
}
