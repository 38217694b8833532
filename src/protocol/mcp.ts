/** A tool as a server lists it (MCP 2025-11-25, Server Features / Tools). Everything in it is hostile input. */
export interface RawTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
  readonly execution?: { readonly taskSupport?: "forbidden" | "optional" | "required" };
  readonly [key: string]: unknown;
}

/**
 * Hints of a server about its tool (MCP, Server Features / Tools, ToolAnnotations). They count only for trusted servers and
 * only if exactly true or false.
 */
export interface ToolAnnotations {
  /** Its name for people. */
  readonly title?: string;
  /** It changes nothing. Protocol default: false. */
  readonly readOnlyHint?: boolean;
  /** It may destroy something. Protocol default: true. */
  readonly destructiveHint?: boolean;
  /** Calling it twice with the same arguments does no more than once. Protocol default: false. */
  readonly idempotentHint?: boolean;
  /** It deals with things outside of the server. Protocol default: true. Plays no part in the policy. */
  readonly openWorldHint?: boolean;
}

/** A content block of a tool result (MCP, Server Features / Tools, Tool Result); unknown kinds are kept. */
export interface ContentBlock {
  /** `text`, `image`, `audio`, `resource`, `resource_link`, or another word. */
  readonly type: string;
  /** What belongs to the kind: `text`, `data`, `mimeType` … */
  readonly [key: string]: unknown;
}

/** What a server says it is (MCP, Lifecycle, `serverInfo`). */
export interface ServerInfo {
  /** Its name for programs. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** Its name for people. */
  readonly title?: string;
}

/** What a session is, once negotiated. */
export interface Session {
  readonly protocolVersion: string;
  readonly server: ServerInfo;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
}
