import type { CallOptions, FailureKind, ToolResult } from "../../index.js";

/** A call as a model wrote it. */
export interface ModelCall {
  /** The provider's id of the call; absent where it gives none. */
  readonly id?: string | undefined;
  readonly name: string;
  /** JSON text or the value itself. */
  readonly arguments: unknown;
}

export interface RunOptions extends Pick<CallOptions, "signal" | "timeout" | "caller" | "approve"> {
  readonly onProgress?: (
    call: ModelCall,
    progress: { progress: number; total?: number; message?: string },
  ) => void;
  /** The most characters of one answer; longer ones keep their beginning and end. Default: 100,000. */
  readonly resultCharacters?: number;
}

/** What became of a call. There is exactly one for each, and its text is something that the model can act on. */
export interface CallOutcome {
  readonly call: ModelCall;
  readonly ok: boolean;
  readonly text: string;
  /** Images and sounds of the result. */
  readonly media: readonly Media[];
  readonly structured?: unknown;
  /** Why it failed; `repeated` for a call whose id was used before. */
  readonly failure?: FailureKind | "repeated";
  /** The result of the tool, when it was called. */
  readonly result?: ToolResult;
}

export interface Media {
  readonly kind: "image" | "audio" | "file";
  /** Such as `image/png`. */
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
  readonly name?: string;
}
