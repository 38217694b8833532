import type { Consumer } from "./consumer.js";
import type { AskConsumer } from "../contract/door.js";
import type { Json, RequestId } from "../contract/protocol.js";

/** Who sends a request: a legacy session, a connection over lines, or one self-describing modern request. */
export interface Peer {
  readonly consumer: Consumer;
  /** The one server of an endpoint with untouched names. */
  readonly only: string | undefined;
  readonly modern: boolean;
  readonly revision: string;
  readonly capabilities: Json;
  /** Name and version of the host program, as it says. */
  readonly client: string;
  /** For facts; empty where there is no session. */
  readonly session: string;
  /** From which level on log messages are wanted; undefined: none (modern), or all (legacy). */
  readonly logLevel: string | undefined;
}

/** One request under way, and what may be said beside its answer. */
export interface Exchange {
  readonly id: RequestId;
  /** Aborts when the consumer cancels, leaves, or is ended. */
  readonly signal: AbortSignal;
  notify(method: string, params: Json): void;
  /** Asks the consumer on the stream of this request (legacy revisions only). */
  readonly ask?: AskConsumer;
}

/** A legacy conversation, which remembers between requests. */
export interface LegacyPeer extends Peer {
  setLogLevel(level: string): void;
  /** Resources it subscribed to, by the URI that it knows; the value ends the subscription. */
  readonly subscriptions: Map<string, () => void>;
  /** Something that belongs to no request. */
  tell(method: string, params: Json): void;
}

export function hostOf(info: unknown): string {
  if (typeof info !== "object" || info === null) return "";
  const { name, version } = info as Json;
  return `${typeof name === "string" ? name : ""} ${typeof version === "string" ? version : ""}`
    .trim()
    .slice(0, 100);
}
