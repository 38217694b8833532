import type { CallOutcome } from "../contract/calls.js";

/** What a call gives: plain JSON, so that it can be kept with the conversation. */
export type AiSdkOutput = AiSdkProgress | AiSdkResult;

/** A preliminary result: how far a call has come. */
export interface AiSdkProgress {
  /** Tells it from the result. */
  readonly type: "progress";
  /** In the server's own unit. */
  readonly progress: number;
  /** The progress at the end, where the server knows it. */
  readonly total?: number;
  /** What the server says about it. */
  readonly message?: string;
}

/** What became of a call. */
export interface AiSdkResult extends Pick<CallOutcome, "ok" | "text" | "structured"> {
  /** Tells it from progress. */
  readonly type: "result";
  /** Images and sounds; absent when there are none. */
  readonly media?: CallOutcome["media"];
  /** Why it failed: a failure kind, or `repeated`. */
  readonly failure?: string;
}

export function outputOf({ ok, text, media, structured, failure }: CallOutcome): AiSdkOutput {
  return {
    type: "result",
    ok,
    text,
    ...(media.length > 0 && { media }),
    ...(structured !== undefined && { structured }),
    ...(failure !== undefined && { failure }),
  };
}

/** What the model reads of it. */
export function modelOutput(output: AiSdkOutput | string) {
  if (typeof output === "string" || output.type === "progress") {
    return {
      type: "text" as const,
      value: typeof output === "string" ? output : (output.message ?? "in progress"),
    };
  }
  if (output.failure === "denied") return { type: "execution-denied" as const, reason: output.text };
  if (!output.ok) return { type: "error-text" as const, value: output.text };
  if (output.media === undefined) return { type: "text" as const, value: output.text };
  return {
    type: "content" as const,
    value: [
      { type: "text" as const, text: output.text },
      ...output.media.map(({ data, mimeType, name }) => ({
        type: "file" as const,
        data: { type: "data" as const, data },
        mediaType: mimeType,
        ...(name !== undefined && { filename: name }),
      })),
    ],
  };
}
