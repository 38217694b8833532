import type { FunctionResponsePart, Part } from "@google/genai";
import type { CallOutcome, Media } from "../contract/calls.js";

/** What Gemini 3 takes beside the text of a function's response (Function calling, Multimodal function responses). */
const types: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/webp",
  "application/pdf",
  "text/plain",
]);

export function responsePart({ call, ok, text, media, structured }: CallOutcome): Part {
  const parts = media.flatMap(partOf);
  return {
    functionResponse: {
      ...(call.id !== undefined && { id: call.id }),
      name: call.name,
      response: ok ? { output: structured === undefined ? text : { text, structured } } : { error: text },
      ...(parts.length > 0 && { parts }),
    },
  };
}

function partOf({ mimeType, data, name }: Media): FunctionResponsePart[] {
  if (!types.has(mimeType)) return [];
  return [{ inlineData: { mimeType, data, ...(name !== undefined && { displayName: name }) } }];
}
