/** What a tool wants from the person in front of the host (MCP 2025-11-25, Client Features / Elicitation). */
export type ElicitRequest =
  | {
      /** Fields to fill in. */
      readonly mode: "form";
      /** Id of the server that asks. */
      readonly server: string;
      /** Written by the server: show it as such. */
      readonly message: string;
      /** A flat object schema of text, numbers, truth values and choices. */
      readonly schema: Readonly<Record<string, unknown>>;
    }
  | {
      /** Something to be done in a browser, such as a sign-in. */
      readonly mode: "url";
      /** Id of the server that asks. */
      readonly server: string;
      /** Written by the server: show it as such. */
      readonly message: string;
      /** To be opened by the person, never by the host on its own. */
      readonly url: string;
      /** The server's own id of this question. */
      readonly elicitationId?: string;
    };

/** What the person did (MCP 2025-11-25, Client Features / Elicitation, Response Actions). */
export type ElicitAnswer =
  | {
      /** It was filled in, or the address was opened. */
      readonly action: "accept";
      /** The fields of a form; those that are left out get the defaults of the schema. */
      readonly content?: Readonly<Record<string, unknown>>;
    }
  | {
      /** The person said no. */
      readonly action: "decline";
    }
  | {
      /** The person went away without an answer. */
      readonly action: "cancel";
    };

/** A server that wants the host's model to write something (MCP 2025-11-25, Client Features / Sampling). */
export interface SampleRequest {
  /** Id of the server that asks. */
  readonly server: string;
  /** The params of sampling/createMessage as sent: messages, systemPrompt, maxTokens … */
  readonly params: Readonly<Record<string, unknown>>;
}

/** A folder that servers may work in (MCP 2025-11-25, Client Features / Roots). */
export interface Root {
  /** Address of the folder, beginning with `file://` (RFC 8089). */
  readonly uri: string;
  /** Its name for people. */
  readonly name?: string;
}

/** What servers may ask of the host. A handler that is not given is not declared, and its requests are refused. */
export interface InputHandlers {
  /**
   * Asks the person. The signal fires when nobody waits any more. Of a handler that throws the server learns only that
   * there is no answer (error -32603; a decline in 2026-07-28).
   */
  readonly elicit?: (request: ElicitRequest, signal: AbortSignal) => ElicitAnswer | Promise<ElicitAnswer>;
  /**
   * Lets the host's model write. Resolves with the result of sampling/createMessage: role, content, model, stopReason.
   * A handler that throws is answered with the error -32603.
   */
  readonly sample?: (request: SampleRequest, signal: AbortSignal) => object | Promise<object>;
  /** The folders that the server may work in, asked for each time it wants to know. */
  readonly roots?: (server: string) => readonly Root[] | Promise<readonly Root[]>;
}

/** Severity of a server's log message, the least first (MCP, Server Features / Utilities / Logging; RFC 5424). */
export type LogLevel =
  /** Details for finding faults. */
  | "debug"
  /** Normal progress. */
  | "info"
  /** Normal, but worth noting. */
  | "notice"
  /** Something that may become a fault. */
  | "warning"
  /** Something failed. */
  | "error"
  /** Something failed that other things need. */
  | "critical"
  /** A person has to act at once. */
  | "alert"
  /** The server cannot be used. */
  | "emergency";
