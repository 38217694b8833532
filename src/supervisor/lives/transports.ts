import type { LifePorts } from "../../actors/lifePorts.js";
import type { Clock } from "../../clock.js";
import { ConnectError } from "../../errors.js";
import type { Cause } from "../../errors.js";
import type { ServerSpec } from "../../spec.js";
import { childEnvironment } from "../../policy/environment.js";
import { createMasker } from "../../policy/secrets.js";
import type { Processes } from "../../process/processes.js";
import type { Authorization } from "../../transport/authorization.js";
import type { HttpOptions } from "../../transport/http.js";
import type { SupervisorOptions } from "../contract/options.js";
import { createLineTeller } from "./stderrLines.js";
import type { ConnectionRequest, Transport, TransportSource } from "../../transport/transport.js";

export type OpenTransport = LifePorts["transport"];

/** Puts something around the connection of a life before it opens. */
export type TransportWrapper = (transport: Transport, request: ConnectionRequest) => Transport;

export interface TransportOptions {
  readonly clock: Clock;
  /** Of every HTTP request, unless the headers of an entry have one: many gateways refuse requests without any. */
  readonly userAgent: string;
  readonly processes: () => Promise<Processes>;
  /** Connections that hosts make themselves, by server id. */
  readonly sources: Readonly<Record<string, TransportSource>>;
  readonly wrappers: ReadonlySet<TransportWrapper>;
  /** Who answers refusals of an HTTP server with tokens. */
  readonly authorization: (spec: ServerSpec) => Authorization | undefined;
  /** Gets every line of a process's stderr, masked. */
  readonly stderr: SupervisorOptions["stderr"];
  /** Why a life must not begin (now); asked before every connection. */
  readonly permit: (spec: ServerSpec, generation: number) => Promise<Cause | undefined>;
}

/** Makes the connection of a life: of the host's own source where there is one, and through every wrapper. */
export function createTransports(options: TransportOptions): OpenTransport {
  const { sources, wrappers, permit } = options;
  return async (spec, generation, kind) => {
    const { id } = spec;
    const refusal = await permit(spec, generation);
    if (refusal !== undefined) throw new ConnectError(refusal);
    const source = Object.hasOwn(sources, id) ? sources[id] : undefined;
    const own = (): Promise<Transport> => configured(spec, generation, kind, options);
    if (source === undefined && wrappers.size === 0) return own();
    const request: ConnectionRequest = { id, generation, own, mask: createMasker(spec.secrets) };
    let transport = source === undefined ? await own() : await source(request);
    for (const wrap of wrappers) transport = wrap(transport, request);
    return transport;
  };
}

/** Picks the transport of a server; the rooms behind HTTP are loaded when the first such server connects. */
async function configured(
  spec: ServerSpec,
  generation: number,
  kind: Parameters<OpenTransport>[2],
  { clock, processes, userAgent, authorization, stderr }: TransportOptions,
): Promise<Transport> {
  const { id, limits, target, shutdown } = spec;
  switch (target.kind) {
    case "stdio": {
      const { createStdioTransport } = await import("../../transport/stdio.js");
      const { env } = childEnvironment(process.env, { ...spec, target }, process.platform);
      return createStdioTransport({
        id,
        generation,
        target,
        env,
        limits,
        shutdown,
        clock,
        processes: await processes(),
        onStderr: stderr === undefined ? undefined : linesTo(stderr, spec),
      });
    }
    case "http": {
      if (kind === "sse")
        return openSse({ id, target, limits, clock, userAgent, authorization: authorization(spec) });
      const { createHttpTransport } = await import("../../transport/http.js");
      return createHttpTransport({
        id,
        target,
        limits,
        clock,
        userAgent,
        authorization: authorization(spec),
      });
    }
    case "sse":
      return openSse({ id, target, limits, clock, userAgent, authorization: authorization(spec) });
  }
}

/** A handler of the host's that throws has no line: a server's life does not end by its log. */
function linesTo(
  stderr: NonNullable<SupervisorOptions["stderr"]>,
  spec: ServerSpec,
): (chunk: Buffer) => void {
  const mask = createMasker(spec.secrets);
  return createLineTeller((line) => {
    try {
      stderr(spec.id, mask(line));
    } catch {
      // The host's own fault.
    }
  });
}

async function openSse(options: HttpOptions): Promise<Transport> {
  const { createSseTransport } = await import("../../transport/sse.js");
  return createSseTransport(options);
}
