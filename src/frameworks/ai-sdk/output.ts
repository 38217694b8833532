import type { CallOutcome } from "../contract/calls.js";

/** What a call gives: plain JSON, so that it can be kept with the conversation. */
export type AiSdkOutput =
  | {
      readonly type: "progress";
      readonly progress: number;
      readonly total?: number;
      readonly message?: string;
    }
  | {
      readonly type: "result";
      readonly ok: boolean;
      readonly text: string;
      readonly media?: CallOutcome["media"];
      readonly structured?: unknown;
      readonly failure?: string;
    };

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
