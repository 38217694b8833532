import type { ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";
import { bytesOf } from "../calls/media.js";
import type { CallOutcome, Media, ModelCall } from "../contract/calls.js";

/** One block of a message's content, as far as it is read here. */
export interface Block {
  /** `tool_use`; blocks of another type are passed over. */
  readonly type: string;
  /** The API's id of the call. */
  readonly id?: string;
  /** The name of the tool. */
  readonly name?: string;
  /** Its arguments. */
  readonly input?: unknown;
}

/** A message of the assistant, or its content. */
export type ToolUses =
  | readonly Block[]
  | {
      /** Blocks of any type. */
      readonly content: readonly Block[];
    };

type Content = Exclude<NonNullable<ToolResultBlockParam["content"]>, string>;

export function readToolUses(message: ToolUses): ModelCall[] {
  const blocks = "content" in message ? message.content : message;
  return blocks
    .filter((block) => block.type === "tool_use")
    .map(({ id, name, input }) => ({ id, name: name ?? "", arguments: input }));
}

export function toolResult(outcome: CallOutcome): ToolResultBlockParam {
  return {
    type: "tool_result",
    tool_use_id: outcome.call.id ?? "",
    content: contentOf(outcome),
    ...(!outcome.ok && { is_error: true }),
  };
}

/** Text as it is; with images as blocks. An empty text is no block that the API takes. */
export function contentOf({ text, media, ok }: CallOutcome): string | Content {
  // The API takes nothing but text in a failed result.
  const shown = ok ? media.flatMap(blockOf) : [];
  if (shown.length === 0) return text === "" ? "(no output)" : text;
  return text === "" ? shown : [{ type: "text", text }, ...shown];
}

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
/** Vision: 5 MB an image; PDF support: 32 MB a request. */
const mostImageBytes = 5_000_000;

function blockOf({ kind, mimeType, data, name }: Media): Content {
  const media_type = imageTypes.find((each) => each === mimeType);
  if (kind === "image" && media_type !== undefined) {
    if (bytesOf(data) > mostImageBytes)
      return [{ type: "text", text: `An image of ${bytesOf(data)} bytes was left out: it is too large.` }];
    return [{ type: "image", source: { type: "base64", media_type, data } }];
  }
  if (mimeType !== "application/pdf") return [];
  return [
    {
      type: "document",
      source: { type: "base64", media_type: mimeType, data },
      ...(name !== undefined && { title: name }),
    },
  ];
}
