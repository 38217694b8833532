/** What can go wrong by name. Every medium can have it unless the line names some. docs/chaos.md. */
export type FaultName =
  /** The connection cannot be opened; over stdio it exits at once. */
  | "refuse"
  /** It ends before its answer (`code`). */
  | "crash-before"
  /** It ends within its answer (`code`). */
  | "crash-mid"
  /** It ends right after its answer (`code`). */
  | "crash-after"
  /** It closes its output and stays (stdio). */
  | "close-stdout"
  /** It closes its input and stays (stdio). */
  | "close-stdin"
  /** No answer. */
  | "hang"
  /** The answer comes after `ms`. */
  | "late-answer"
  /** Half an answer, and nothing after it (stdio). */
  | "half-line"
  /** It reads its input no more (stdio). */
  | "stop-reading"
  /** The answer comes in single bytes (stdio). */
  | "byte-at-a-time"
  /** `bytes` on stderr, or on stdout (`stream`), before the answer (stdio). */
  | "flood"
  /** A line of `bytes` without an end (stdio). */
  | "endless-line"
  /** `text` on stdout before the answer (stdio). */
  | "noise"
  /** `text` instead of the answer; `{id}` in it is the id (stdio). */
  | "raw"
  /** A JSON-RPC error (`code`, `text`). */
  | "error"
  /** The answer has another id. */
  | "wrong-id"
  /** The answer has the id as text. */
  | "string-id"
  /** The answer comes twice. */
  | "duplicate-answer"
  /** It answers the handshake with a revision that nobody knows (`text`). */
  | "bad-version"
  /** A result that is none. */
  | "schema-lie"
  /** A list whose pages never end. */
  | "endless-pages"
  /** A list whose next page is always the same. */
  | "same-cursor"
  /** Progress every `ms`, and no answer. */
  | "endless-progress"
  /** `count` notifications that its tools have changed, then the answer. */
  | "list-changed-storm"
  /** It asks the client before it answers. */
  | "request-first"
  /** It does not go when its input ends (stdio). */
  | "ignore-eof"
  /** It does not go on SIGTERM (stdio). */
  | "ignore-term"
  /** It leaves a helper; `stream: "held"` lets that keep stdout open (stdio). */
  | "fork"
  /** It leaves a helper that has left its session (stdio). */
  | "daemonise"
  /** Its end takes `ms` (memory). */
  | "slow-close"
  /** Its end leaves `count` processes that cannot be ended (memory). */
  | "survivors"
  /** The session of the request is unknown (memory, http). */
  | "session-expiry"
  /** Another HTTP status (`code`, `headers`) (http). */
  | "http-status"
  /** A redirect to `text` (http). */
  | "redirect"
  /** A torn event stream (http). */
  | "sse-cut"
  /** An answer that trickles, a piece every `ms` (http). */
  | "slow-body"
  /** A compressed answer that inflates to `bytes` (http). */
  | "gzip-bomb";

/** One fault: what goes wrong, and with which messages. */
export interface FakeFault {
  /** What goes wrong. */
  readonly fault: FaultName;
  /** Method it happens at, or `open` for the begin of a connection. Default: `tools/call`, or what the fault needs. */
  readonly on?: string;
  /** Only calls of this tool. Default: of any. */
  readonly tool?: string;
  /** Only the n-th such message of a server (1 is the first). Default: each. */
  readonly nth?: number;
  /** Only in this life of the server (1 is the first). Default: in each. */
  readonly generation?: number;
  /** How often at most. Default: always. */
  readonly times?: number;
  /** With this probability, by the seed of the script. Default: 1. */
  readonly chance?: number;
  /** A wait in milliseconds, where the fault has one. */
  readonly ms?: number;
  /** How many notifications, processes or pages, where the fault counts. */
  readonly count?: number;
  /** How many bytes, where the fault has a size. */
  readonly bytes?: number;
  /** Exit code, JSON-RPC error code or HTTP status, where the fault has one. */
  readonly code?: number;
  /** What it says instead, where the fault has a text. */
  readonly text?: string;
  /** Headers of the other answer of `http-status`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `stderr` or `stdout` for a flood; `held` lets a fork keep our stdout open. */
  readonly stream?: "stdout" | "stderr" | "held";
}
