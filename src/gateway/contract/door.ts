import type { PermissionMode } from "../../index.js";
import type { Answer, Json } from "./protocol.js";

/** One tool of the fleet, as the supervisor's catalog has it. */
export interface FleetTool {
  /** What the supervisor calls it. */
  readonly name: string;
  readonly server: string;
  /** Its raw name. */
  readonly tool: string;
  /** As its server lists it; hidden characters of title and description show as escapes. */
  readonly definition: Json;
}

export interface FleetServer {
  readonly id: string;
  readonly trusted: boolean;
  readonly enabled: boolean;
  readonly instructions?: string;
  /** Undefined until its first session. */
  readonly capabilities?: Json;
}

/** Answers what a server asks in the middle of a request; undefined when this consumer answers no such requests. */
export type AskConsumer = (
  method: string,
  params: unknown,
  signal: AbortSignal,
) => Promise<Answer> | undefined;

/** Who stands behind a request, for facts, questions to a person and fair shares. */
export interface OnBehalf {
  readonly consumer: string;
  readonly session?: string;
  /** Name and version of the host program, as it says. */
  readonly host?: string;
  readonly mode?: PermissionMode;
}

export interface FleetRequest {
  readonly behalf: OnBehalf;
  readonly signal: AbortSignal;
  readonly onProgress?: (note: { progress: number; total?: number; message?: string }) => void;
  readonly onLog?: (params: Json) => void;
  readonly logLevel?: string;
  readonly ask?: AskConsumer;
  /** Gives an `input_required` result of a modern server as it is, instead of asking. */
  readonly relay?: boolean;
  /** Gives a task of a modern server as it is, instead of following it. */
  readonly tasks?: boolean;
  /** What is said of the consumer's capabilities to a modern server. */
  readonly capabilities?: Json;
  /** Members of a retried request. */
  readonly retry?: { readonly inputResponses?: unknown; readonly requestState?: string };
  /** Further members of `_meta`. */
  readonly meta?: Json;
}

export type ListKind = "resources" | "templates" | "prompts";

/** What the gateway needs of a fleet. */
export interface Fleet {
  /** Under which title its servers know this side; a consumer of the same title is this gateway itself. */
  readonly title?: string;
  /** The same array until something changes. */
  tools(): readonly FleetTool[];
  /** In the order of the configuration. */
  servers(): readonly FleetServer[];
  /** It is being connected, and nobody knows its tools yet. */
  starting(server: string): boolean;
  call(tool: FleetTool, args: unknown, request: FleetRequest): Promise<Answer>;
  ask(server: string, method: string, params: Json, request: FleetRequest): Promise<Answer>;
  /** Undefined when the server cannot be asked now. */
  list(server: string, kind: ListKind): Promise<readonly Json[] | undefined>;
  /** Resolves with what ends it, or with the refusal. */
  watch(
    server: string,
    uri: string,
    changed: () => void,
    consumer: string,
  ): Promise<(() => void) | { readonly error: { code: number; message: string } }>;
  /** Tells what may have changed; returns what ends it. */
  listen(told: (change: FleetChange) => void): () => void;
}

export type FleetChange =
  /** The set of servers or of tools. */
  | { readonly kind: "tools"; readonly server: string }
  /** A server is connected anew. */
  | { readonly kind: "connected"; readonly server: string }
  /** The server told that this list of it changed, whether or not it reads otherwise now. */
  | { readonly kind: "told"; readonly server: string; readonly list: "tools" | "resources" | "prompts" };
