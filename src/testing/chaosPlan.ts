import type { Clock } from "../index.js";

/** What can happen on the way between supervisor and server. */
export type WireFault =
  /** An answer comes late, by `delayMs`. */
  | "delay-answer"
  /** An answer is lost. */
  | "drop-answer"
  /** An answer comes twice. */
  | "duplicate-answer"
  /** An answer has another id. */
  | "wrong-id"
  /** The server seems to tell that its tools have changed. */
  | "list-changed"
  /** A message to the server is refused. */
  | "refuse-send"
  /** The connection ends. */
  | "drop-connection"
  /** SIGKILL to one process of the server, drawn by lot; a connection without processes is dropped. */
  | "kill"
  /** SIGSTOP to the process of the server, and SIGCONT after `pauseMs`. */
  | "pause";

/** Which faults happen, and when. */
export interface ChaosPlan {
  /** What chance follows from. */
  readonly seed: number;
  /** For each message of the server: the probability of a fault, from 0 to 1. Default: none. */
  readonly chance?: Readonly<Partial<Record<WireFault, number>>>;
  /** Faults at fixed times. Default: none. */
  readonly schedule?: readonly {
    /** When, in milliseconds after the connection has opened. */
    readonly at: number;
    /** What happens. */
    readonly fault: WireFault;
  }[];
  /** Bounds of a delay, in milliseconds. Default: 10 to 500. */
  readonly delayMs?: readonly [number, number];
  /** How long a pause lasts, in milliseconds. Default: 1000. */
  readonly pauseMs?: number;
  /** Where delays, pauses and scheduled times come from. Default: the real clock. */
  readonly clock?: Clock;
  /** While this is false nothing happens. */
  active?(): boolean;
  /** Told of each fault as it happens. */
  onFault?(fault: WireFault): void;
}
