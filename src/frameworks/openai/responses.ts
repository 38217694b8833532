import type { ResponseFunctionCallOutputItem, ResponseInputItem } from "openai/resources/responses/responses";
import type { CallOutcome, Media, ModelCall } from "../contract/calls.js";
import { imageTypes } from "./chat.js";

interface Item {
  readonly type: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: unknown;
}

export function readResponseCalls(
  output: readonly Item[] | { readonly output: readonly Item[] },
): ModelCall[] {
  const items = "output" in output ? output.output : output;
  return items
    .filter((item) => item.type === "function_call")
    .map((item) => ({ id: item.call_id, name: item.name ?? "", arguments: item.arguments }));
}

export function responseItems(outcomes: readonly CallOutcome[]): ResponseInputItem[] {
  return outcomes.map(({ call, text, media }) => {
    const shown = media.flatMap(itemOf);
    const output = shown.length === 0 ? text : [{ type: "input_text" as const, text }, ...shown];
    return { type: "function_call_output", call_id: call.id ?? "", output };
  });
}

function itemOf({ kind, mimeType, data, name }: Media): ResponseFunctionCallOutputItem[] {
  const url = `data:${mimeType};base64,${data}`;
  if (kind === "image" && imageTypes.has(mimeType)) return [{ type: "input_image", image_url: url }];
  if (mimeType !== "application/pdf") return [];
  return [{ type: "input_file", filename: name ?? "result.pdf", file_data: url }];
}
