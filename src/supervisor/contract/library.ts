import type { Failure } from "../../errors.js";
import type { ContentBlock } from "../../protocol/mcp.js";

/** What a question to a server led to; never thrown. */
export type Outcome<T> =
  | {
      /** It was answered. */
      readonly ok: true;
      /** What was asked for. */
      readonly value: T;
      /** What of the answer was odd and left out, one sentence each. */
      readonly warnings: readonly string[];
    }
  | {
      /** It was not answered, or not with what was asked for. */
      readonly ok: false;
      /** Why, and what to do. */
      readonly failure: Failure;
    };

/** Something a server lets read (MCP, Server Features / Resources), as sent. */
export interface Resource {
  /** Its address, in any scheme; what `readResource` takes (RFC 3986). */
  readonly uri: string;
  /** Its name for programs. */
  readonly name: string;
  /** Its name for people. */
  readonly title?: string;
  /** What it is; for models and people. */
  readonly description?: string;
  /** Its media type, if the server knows it (RFC 6838). */
  readonly mimeType?: string;
  /** Size of its raw content, in bytes. */
  readonly size?: number;
  /** Whatever else the server sent: `annotations`, `icons`, `_meta` … */
  readonly [key: string]: unknown;
}

/** A family of resources (MCP, Server Features / Resources), as sent. */
export interface ResourceTemplate {
  /** A template of addresses, such as `note://{id}` (RFC 6570). */
  readonly uriTemplate: string;
  /** Its name for programs. */
  readonly name: string;
  /** Whatever else the server sent: `title`, `description`, `mimeType` … */
  readonly [key: string]: unknown;
}

/** One part of a resource: `text`, or `blob` as base64. */
export interface ResourceContents {
  /** Address of this part. */
  readonly uri: string;
  /** Its media type, if the server knows it. */
  readonly mimeType?: string;
  /** Its content, if it is text. */
  readonly text?: string;
  /** Its content otherwise, as base64 (RFC 4648). */
  readonly blob?: string;
  /** Whatever else the server sent. */
  readonly [key: string]: unknown;
}

/** A text that a server has ready to be filled in (MCP, Server Features / Prompts), as sent. */
export interface Prompt {
  /** What `getPrompt` takes. */
  readonly name: string;
  /** Its name for people. */
  readonly title?: string;
  /** What it is for. */
  readonly description?: string;
  /** What can be filled in; absent for nothing. */
  readonly arguments?: readonly {
    /** Name of the argument. */
    readonly name: string;
    /** What it stands for. */
    readonly description?: string;
    /** Whether it must be given. Default: false. */
    readonly required?: boolean;
  }[];
  /** Whatever else the server sent. */
  readonly [key: string]: unknown;
}

/** A prompt that was filled in (MCP, Server Features / Prompts). */
export interface PromptText {
  /** What it is for. */
  readonly description?: string;
  /** What to hand to a model, in order; messages without a content are left out. Written by the server. */
  readonly messages: readonly {
    /** Whose message it is: `user` or `assistant`. */
    readonly role: string;
    /** A text, image, audio or resource block. */
    readonly content: ContentBlock;
  }[];
}

/** What has the argument that is to be completed (MCP, Server Features / Utilities / Completion). */
export type CompletionReference =
  | {
      /** A prompt. */
      readonly type: "ref/prompt";
      /** Its name. */
      readonly name: string;
    }
  | {
      /** A resource template. */
      readonly type: "ref/resource";
      /** The template, as listed. */
      readonly uri: string;
    };

/** Suggestions of a server, the best first. */
export interface Completion {
  /** Values that fit what is written so far; at most 100. */
  readonly values: readonly string[];
  /** How many there are in all, if the server says so. */
  readonly total?: number;
  /** Whether there are more than `values`. */
  readonly hasMore?: boolean;
}

/**
 * What a server offers besides tools. Lists are walked to their end and kept as long as the server says that they are
 * fresh, or until it tells a change; what it did not declare is an empty list at once, without a request. A server that
 * is down is woken as by a call. Nothing here rejects.
 */
export interface ServerLibrary {
  /** Its resources, all pages within `limits.pages` and `limits.tools`. */
  listResources(): Promise<Outcome<readonly Resource[]>>;
  /** Its resource templates, all pages within the same limits. */
  listResourceTemplates(): Promise<Outcome<readonly ResourceTemplate[]>>;
  /** Reads one resource; a server may answer with several parts. */
  readResource(uri: string): Promise<Outcome<readonly ResourceContents[]>>;
  /**
   * Calls `listener` after each change of the resource, over reconnects, until the function it resolves with is called.
   * `behalf` is the consumer that wants to know, for servers that are not shared.
   */
  subscribeResource(
    uri: string,
    listener: (uri: string) => void,
    behalf?: {
      /** Its name. */
      readonly consumer: string;
    },
  ): Promise<Outcome<() => void>>;
  /** Its prompts, all pages within the same limits. */
  listPrompts(): Promise<Outcome<readonly Prompt[]>>;
  /** Fills a prompt in; `args` are texts by the names of its arguments. Default: none. */
  getPrompt(name: string, args?: Readonly<Record<string, string>>): Promise<Outcome<PromptText>>;
  /**
   * Suggestions for one argument of a prompt or a resource template: `argument.value` is what is written so far, `known`
   * the arguments that are filled in already.
   */
  complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    known?: Readonly<Record<string, string>>,
  ): Promise<Outcome<Completion>>;
}
