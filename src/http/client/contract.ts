import type {
  ApprovalRequest,
  AttentionItem,
  Decision,
  Fact,
  ServerConfig,
  ServerStatus,
  ToolDescriptor,
  ToolResult,
} from "../../index.js";
import type { EventOptions } from "./events.js";

/**
 * Speaks to a running service of this user. Every method rejects with ServiceError for a problem it answered with, and
 * with the error of the connection when nobody answers.
 */
export interface ServiceClient {
  /** All servers with their state, in the order of the configuration. */
  servers(): Promise<ServerStatus[]>;
  /** One server; `server-not-found` when there is none. */
  server(id: string): Promise<ServerStatus>;
  /** All tools as an agent sees them. */
  tools(): Promise<ToolDescriptor[]>;
  /** A ToolResult whatever becomes of the call; aborting cancels it. */
  call(
    name: string,
    args?: unknown,
    options?: { timeout?: number | string; signal?: AbortSignal },
  ): Promise<ToolResult>;
  /** Facts from now on, or after a sequence number; ends when the service does or the signal aborts. */
  events(options?: EventOptions): AsyncIterableIterator<Fact>;
  /** What a person should look at, the most urgent first. */
  attention(): Promise<AttentionItem[]>;
  /** Open questions, oldest first. */
  approvals(): Promise<ApprovalRequest[]>;
  /** Answers a question; `approval-not-found` when it is not open (any more). */
  approve(id: string, decision: Decision): Promise<void>;
  /** Connects and waits until it is ready; `connect-failed` with the cause, `server-disabled`, `server-not-found`. */
  connect(id: string): Promise<ServerStatus>;
  /** Ends its life; it rests until somebody connects or calls. */
  disconnect(id: string): Promise<ServerStatus>;
  /** Begins a new life and waits until it is ready; `restart-failed` when the old one goes on, else as `connect`. */
  restart(id: string): Promise<ServerStatus>;
  /** Switches an entry on, where it is written down. */
  enable(id: string): Promise<ServerStatus>;
  /** Switches an entry off; its process ends. */
  disable(id: string): Promise<ServerStatus>;
  /** Adds an entry, or changes the one with its id; `invalid-config` says what is wrong. */
  saveServer(config: ServerConfig): Promise<ServerStatus>;
  /** Removes an entry; its process ends. */
  removeServer(id: string): Promise<void>;
  /** The consumers of the gateway; without their tokens. */
  consumers(): Promise<ConsumerRow[]>;
  /** Adds a consumer or changes a known one; the token only of a new one, never shown again. */
  addConsumer(
    name: string,
    config?: object,
    expiresAt?: number,
  ): Promise<{
    /** Only of a new consumer. */
    token?: string;
  }>;
  /** A new token; the old one is void at once. */
  rotateConsumer(
    name: string,
    expiresAt?: number,
  ): Promise<{
    /** The new token; never shown again. */
    token: string;
  }>;
  /** Removes a consumer; its token is void at once. */
  removeConsumer(name: string): Promise<void>;
  /** Whether servers with a url may be connected. */
  network(): Promise<boolean>;
  /** Switches that; resolves with how it is now. */
  setNetwork(enabled: boolean): Promise<boolean>;
  /** A new link to the dashboard that is good once, for ten minutes. */
  loginLink(): Promise<string>;
  /** Closes the connections; open calls reject. The service goes on. */
  close(): void;
}

/** A consumer of the gateway as the service tells it. */
export interface ConsumerRow {
  /** Its name. */
  readonly name: string;
  /** Its configuration: scope, mode, limits. */
  readonly config: Readonly<Record<string, unknown>>;
  /** What is known of its token; absent when none opens it. */
  readonly token?: {
    /** When it was made, in epoch ms. */
    readonly createdAt: number;
    /** When it becomes void, in epoch ms; absent for never. */
    readonly expiresAt?: number;
    /** When it was last used, in epoch ms; absent before the first use. */
    readonly lastUsedAt?: number;
  };
  /** Requests under way. */
  readonly inFlight: number;
  /** Open sessions. */
  readonly sessions: number;
  /** Open event streams. */
  readonly streams: number;
  /** Calls that wait for an answer of the consumer. */
  readonly parked: number;
  /** Calls so far. */
  readonly calls: number;
}
