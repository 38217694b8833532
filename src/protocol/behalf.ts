import type { JsonRpcError } from "./jsonrpc.js";

/** What is answered to a request of a server. */
export type BehalfAnswer = { readonly result: object } | { readonly error: JsonRpcError };

/**
 * On whose behalf a request is made, when that is not the host itself but a consumer behind it, as in a gateway: what
 * the server says beside its answer goes to them alone.
 */
export interface Behalf {
  /** Its name: in facts, in questions to a person, and for fair shares of a server's queue. */
  readonly consumer: string;
  /** Names the session of the consumer in facts. */
  readonly session?: string;
  /** Name and version of the consumer's program, as it says. */
  readonly host?: string;
  /** Answers a request of the server in place of the host's handlers; undefined: such requests are refused. */
  readonly ask?: (method: string, params: unknown, signal: AbortSignal) => Promise<BehalfAnswer> | undefined;
  /** An `input_required` result of a modern server is given as it is, instead of asking. Default: false. */
  readonly relay?: boolean;
  /** A task that a modern server answers a call with is given as it is, instead of following it. Default: false. */
  readonly tasks?: boolean;
  /** What a modern server is told of the consumer's capabilities. Default: none. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** What a retried request carries (MCP 2026-07-28, multi round-trip requests). */
  readonly retry?: {
    /** Answers to what the server asked for, by its keys. */
    readonly inputResponses?: unknown;
    /** The state that the server gave, as it was. */
    readonly requestState?: string;
  };
  /** Further members of `_meta`, such as a trace context. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Asks a modern server for log messages from this level on. Default: none. */
  readonly logLevel?: string;
  /** The params of a log message that belongs to this request. */
  readonly onLog?: (params: Readonly<Record<string, unknown>>) => void;
}

/** Whether an answer that is not the end (a question, a task) goes to the consumer, who carries on from there. */
export function isPassedOn(type: string, behalf: Behalf | undefined): boolean {
  return type === "input_required" ? behalf?.relay === true : type === "task" && behalf?.tasks === true;
}

/** The parts of `_meta` that say who asks, as `"key":value,` text. */
export function behalfMeta({ meta, logLevel }: Behalf, modern: boolean): string {
  const members = {
    ...meta,
    ...(modern && logLevel !== undefined ? { "io.modelcontextprotocol/logLevel": logLevel } : {}),
  };
  const text = JSON.stringify(members).slice(1, -1);
  return text === "" ? "" : `${text},`;
}

/** The members of a retried request, as `"key":value,` text. */
export function behalfRetry({ retry }: Behalf): string {
  if (retry === undefined) return "";
  const text = JSON.stringify(retry).slice(1, -1);
  return text === "" ? "" : `${text},`;
}
