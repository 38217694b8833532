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

/** Hints of a server about its tool; they count only for trusted servers and only if exactly true or false. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A content block of a tool result; unknown kinds are kept. */
export interface ContentBlock {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** What a session is, once negotiated. */
export interface Session {
  readonly protocolVersion: string;
  readonly server: ServerInfo;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
}
