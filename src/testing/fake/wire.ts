import type { FakeFault } from "./faultTypes.js";

/** An order to the process of a fake server. */
export type ProcessOrder =
  | { readonly do: "exit"; readonly code: number; readonly signal?: string }
  | { readonly do: "drip"; readonly text: string }
  | { readonly do: "flood"; readonly stream: "stdout" | "stderr"; readonly bytes: number }
  | {
      readonly do:
        | "ignore-eof"
        | "ignore-term"
        | "stop-reading"
        | "close-stdout"
        | "close-stdin"
        | "daemonise";
    }
  | { readonly do: "fork"; readonly held: boolean };

/** One connection of a client, as its medium carries it. */
export interface FakeWire {
  readonly generation: number;
  send(message: object): void;
  /** Bytes as they are; only where there are bytes. */
  write?(text: string): void;
  /** Half of a message, and nothing after it. */
  half(message: object): void;
  end(code: number): void;
  order?(order: ProcessOrder): void;
  /** The session of this request is unknown. */
  expire?(id: unknown): void;
  /** Answers the HTTP request in a way of its own. */
  respond?(fault: FakeFault, message: object | undefined): void;
}
