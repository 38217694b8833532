/** What a tool wants from the person in front of the host (MCP 2025-11-25, Client Features / Elicitation). */
export type ElicitRequest =
  | {
      readonly mode: "form";
      readonly server: string;
      /** Written by the server: show it as such. */
      readonly message: string;
      /** A flat object schema of text, numbers, truth values and choices. */
      readonly schema: Readonly<Record<string, unknown>>;
    }
  | {
      readonly mode: "url";
      readonly server: string;
      readonly message: string;
      /** To be opened by the person, never by the host on its own. */
      readonly url: string;
      readonly elicitationId?: string;
    };

export type ElicitAnswer =
  /** Fields that are left out get the defaults of the schema. */
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/** A server that wants the host's model to write something (MCP 2025-11-25, Client Features / Sampling). */
export interface SampleRequest {
  readonly server: string;
  /** The params of sampling/createMessage as sent: messages, systemPrompt, maxTokens … */
  readonly params: Readonly<Record<string, unknown>>;
}

/** A folder that servers may work in (MCP 2025-11-25, Client Features / Roots); `uri` begins with `file://`. */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/** What servers may ask of the host. A handler that is not given is not declared, and its requests are refused. */
export interface InputHandlers {
  readonly elicit?: (request: ElicitRequest, signal: AbortSignal) => ElicitAnswer | Promise<ElicitAnswer>;
  /** Resolves with the result of sampling/createMessage: role, content, model, stopReason. */
  readonly sample?: (request: SampleRequest, signal: AbortSignal) => object | Promise<object>;
  readonly roots?: (server: string) => readonly Root[] | Promise<readonly Root[]>;
}

export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";
