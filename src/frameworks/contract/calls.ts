import type { CallOptions, FailureKind, ToolResult } from "../../index.js";

/** A call as a model wrote it. */
export interface ModelCall {
  /** The provider's id of the call; absent where it gives none. */
  readonly id?: string | undefined;
  /** The name of the tool as the model wrote it. */
  readonly name: string;
  /** JSON text or the value itself. */
  readonly arguments: unknown;
}

/** How calls are run. */
export interface RunOptions extends Pick<CallOptions, "signal" | "timeout" | "caller" | "approve"> {
  /** Hears the progress that a server tells, with the call it belongs to. */
  readonly onProgress?: (
    call: ModelCall,
    progress: { progress: number; total?: number; message?: string },
  ) => void;
  /** The most characters of one answer; longer ones keep their beginning and end. Default: 100,000. */
  readonly resultCharacters?: number;
}

/** What became of a call. There is exactly one for each, and its text is something that the model can act on. */
export interface CallOutcome {
  /** The call as it was handed in. */
  readonly call: ModelCall;
  /** Whether the tool was run and reported no error. */
  readonly ok: boolean;
  /** For the model: the text of the result, or what went wrong and what to do about it. */
  readonly text: string;
  /** Images and sounds of the result. */
  readonly media: readonly Media[];
  /** `structuredContent` of the result, when it has any. */
  readonly structured?: unknown;
  /** Why it failed; `repeated` for a call whose id was used before. */
  readonly failure?: FailureKind | "repeated";
  /** The result of the tool, when it was called. */
  readonly result?: ToolResult;
}

/** An image, a sound or a file of a result. */
export interface Media {
  /** What it is; `file` for all that is neither image nor sound. */
  readonly kind: "image" | "audio" | "file";
  /** Such as `image/png`. */
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
  /** Its name or URI, where the server gave one. */
  readonly name?: string;
}
