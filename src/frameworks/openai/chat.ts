import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { CallOutcome, Media, ModelCall } from "../contract/calls.js";

/** One call of a message, as far as it is read here. */
export interface ChatCall {
  /** The API's id of the call. */
  readonly id?: string;
  /** `function`; calls of another type are passed over. */
  readonly type?: string;
  /** The name of the tool, and the arguments as JSON text. */
  readonly function?: {
    /** The name of the tool. */
    readonly name?: string;
    /** JSON text. */
    readonly arguments?: unknown;
  };
}

/** An assistant message, or the calls of one. */
export type ChatCalls =
  | readonly ChatCall[]
  | {
      /** Absent or null when the model called nothing. */
      readonly tool_calls?: readonly ChatCall[] | null;
    };

export function readChatCalls(calls: ChatCalls): ModelCall[] {
  const list = "tool_calls" in calls ? (calls.tool_calls ?? []) : calls;
  if (!Array.isArray(list)) return [];
  return (list as readonly ChatCall[]).flatMap((call) =>
    call.function === undefined
      ? []
      : [{ id: call.id, name: call.function.name ?? "", arguments: call.function.arguments }],
  );
}

/** What chat completions take of images and sounds, and only in messages of the user. */
export const imageTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
]);
const audioFormats: Readonly<Record<string, "mp3" | "wav">> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

export function chatMessages(outcomes: readonly CallOutcome[]): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = [];
  const shown: ChatCompletionContentPart[] = [];
  for (const { call, text, media } of outcomes) {
    messages.push({ role: "tool", tool_call_id: call.id ?? "", content: text });
    const parts = media.flatMap(partOf);
    if (parts.length > 0)
      shown.push({ type: "text", text: `From the result of ${call.name} (${call.id ?? ""}):` }, ...parts);
  }
  // Answers to calls must follow the calls without anything between them.
  if (shown.length > 0) messages.push({ role: "user", content: shown });
  return messages;
}

function partOf({ kind, mimeType, data }: Media): ChatCompletionContentPart[] {
  if (kind === "image" && imageTypes.has(mimeType)) {
    return [{ type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } }];
  }
  const format = audioFormats[mimeType];
  return kind === "audio" && format !== undefined
    ? [{ type: "input_audio", input_audio: { data, format } }]
    : [];
}
