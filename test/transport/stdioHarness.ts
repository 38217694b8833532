import { resolve } from "node:path";
import { onTestFinished } from "vitest";
import { realClock } from "../../src/clock.js";
import { defaultLimits, type Limits, type StdioTarget } from "../../src/spec.js";
import type { Cause } from "../../src/errors.js";
import type { RequestId } from "../../src/protocol/jsonrpc.js";
import { createStdioTransport } from "../../src/transport/stdio.js";
import type { Loss, Transport } from "../../src/transport/transport.js";
import { shortGraces, testProcesses, until } from "../process/support.js";

export const wire = resolve(import.meta.dirname, "../fixtures/processes/wire.mjs");

/** A transport with everything it told, in order. */
export interface Heard {
  readonly transport: Transport;
  readonly messages: Record<string, unknown>[];
  readonly losses: { id: RequestId; loss: Loss }[];
  readonly warnings: { kind: string; message: string }[];
  readonly closed: Cause[];
  /** Sends a request; the answer is what `send` gave. */
  request(id: number, method: string, params?: unknown): number | Cause;
  /** The result of the answer with this id, once it is there. */
  result(id: number): Promise<unknown>;
  open(): Promise<void>;
}

export interface HearOptions {
  readonly shutdown?: Partial<typeof shortGraces>;
  readonly limits?: Partial<Limits>;
  readonly target?: Partial<StdioTarget>;
}

export function hearMode(mode: string, args: readonly string[] = [], options: HearOptions = {}): Heard {
  return hear({
    ...options,
    target: { command: process.execPath, args: [wire, mode, ...args], ...options.target },
  });
}

export function hear(options: HearOptions): Heard {
  const transport = createStdioTransport({
    id: "demo",
    generation: 1,
    target: { kind: "stdio", command: "", args: [], env: {}, inherit: "safe", pass: [], ...options.target },
    env: { PATH: process.env["PATH"] ?? "" },
    limits: { ...defaultLimits, ...options.limits },
    shutdown: { ...shortGraces, ...options.shutdown },
    clock: realClock,
    processes: testProcesses(),
  });
  onTestFinished(async () => void (await transport.close()));
  const heard: Heard = {
    transport,
    messages: [],
    losses: [],
    warnings: [],
    closed: [],
    request: (id, method, params) =>
      transport.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }), { method, id }),
    async result(id) {
      const find = () => heard.messages.find((each) => each["id"] === id && each["jsonrpc"] === "2.0");
      await until(`an answer to ${id}`, () => find() !== undefined || heard.closed.length > 0);
      return find()?.["result"];
    },
    open: () =>
      transport.open({
        onMessage: (message) => void heard.messages.push(message as Record<string, unknown>),
        onLost: (id, loss) => void heard.losses.push({ id, loss }),
        onClosed: (cause) => void heard.closed.push(cause),
        onWarning: (kind, message) => void heard.warnings.push({ kind, message }),
      }),
  };
  return heard;
}
