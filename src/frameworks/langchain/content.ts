import type { CallOutcome } from "../contract/calls.js";

/** The artifact of a ToolMessage: what hosts want and models do not read. */
export interface LangChainArtifact {
  /** Whether the tool was run and reported no error. */
  readonly ok: boolean;
  /** Why it failed: a failure kind, or `repeated`. */
  readonly failure?: CallOutcome["failure"];
  /** `structuredContent` of the result, when it has any. */
  readonly structured?: unknown;
  /** The whole result, when the tool was called. */
  readonly result?: CallOutcome["result"];
}

/** Standard content blocks; plain text when there is nothing else. */
export function contentOf({ text, media }: CallOutcome): unknown {
  if (media.length === 0) return text;
  const blocks = media.map(({ kind, mimeType, data }) => {
    // The form that every chat model of LangChain takes.
    if (kind === "image") return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
    return { type: kind, source_type: "base64", mime_type: mimeType, data };
  });
  return [{ type: "text", text }, ...blocks];
}

export function artifactOf({ ok, failure, structured, result }: CallOutcome): LangChainArtifact {
  return {
    ok,
    ...(failure !== undefined && { failure }),
    ...(structured !== undefined && { structured }),
    ...(result !== undefined && { result }),
  };
}
