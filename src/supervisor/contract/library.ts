import type { Failure } from "../../errors.js";
import type { ContentBlock } from "../../protocol/mcp.js";

/** What a question to a server led to; never thrown. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

/** Something a server lets read (MCP, Server Features / Resources), as sent. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly [key: string]: unknown;
}

export interface ResourceTemplate {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly [key: string]: unknown;
}

/** One part of a resource: `text`, or `blob` as base64. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly [key: string]: unknown;
}

/** A text that a server has ready to be filled in (MCP, Server Features / Prompts), as sent. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
  readonly [key: string]: unknown;
}

export interface PromptText {
  readonly description?: string;
  readonly messages: readonly { readonly role: string; readonly content: ContentBlock }[];
}

export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

export interface Completion {
  /** At most 100. */
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/**
 * What a server offers besides tools. Lists are walked to their end and kept as long as the server says that they are
 * fresh, or until it tells a change; what it did not declare is an empty list at once, without a request. A server that
 * is down is woken as by a call. Nothing here rejects.
 */
export interface ServerLibrary {
  listResources(): Promise<Outcome<readonly Resource[]>>;
  listResourceTemplates(): Promise<Outcome<readonly ResourceTemplate[]>>;
  readResource(uri: string): Promise<Outcome<readonly ResourceContents[]>>;
  /** Calls `listener` after each change of the resource, over reconnects, until the function it resolves with is called. */
  subscribeResource(uri: string, listener: (uri: string) => void): Promise<Outcome<() => void>>;
  listPrompts(): Promise<Outcome<readonly Prompt[]>>;
  getPrompt(name: string, args?: Readonly<Record<string, string>>): Promise<Outcome<PromptText>>;
  /** Suggestions for one argument of a prompt or a resource template. */
  complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    known?: Readonly<Record<string, string>>,
  ): Promise<Outcome<Completion>>;
}
