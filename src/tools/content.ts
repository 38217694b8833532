import type { ContentBlock } from "../protocol/mcp.js";

/** The blocks and the structured part of a result, with a note for each repair. */
export interface Content {
  readonly content: readonly ContentBlock[];
  readonly structured?: unknown;
  readonly warnings: readonly string[];
}

const none: readonly never[] = [];

/** Finds a result's content, or says in words what is wrong with it. Falsy structured content counts as content. */
export function contentOf(result: Readonly<Record<string, unknown>>): Content | string {
  const { content, structuredContent } = result;
  if (Array.isArray(content)) return fromList(content, structuredContent);
  const structured = structuredContent === undefined ? {} : { structured: structuredContent };
  if (content === undefined) return withoutContent(result, structured);
  if (content === null)
    return { content: none, ...structured, warnings: ["content was null, read as empty"] };
  if (typeof content === "string") {
    const block = { type: "text", text: content };
    return { content: [block], ...structured, warnings: ["content was a text, read as one text block"] };
  }
  if (isBlock(content)) {
    return { content: [content], ...structured, warnings: ["content was one block, read as a list of it"] };
  }
  return `has content that is no list (${typeof content})`;
}

function fromList(list: readonly unknown[], structured: unknown): Content {
  const sound = list.every(isBlock);
  const content = sound ? list : list.map(repair);
  const warnings = sound ? none : ["content had blocks that are none; they were replaced by texts"];
  return structured === undefined ? { content, warnings } : { content, structured, warnings };
}

function withoutContent(
  result: Readonly<Record<string, unknown>>,
  structured: { readonly structured?: unknown },
): Content {
  // The only field of a result in the first revision of the protocol (2024-10-07).
  if (result["toolResult"] !== undefined && structured.structured === undefined) {
    const warnings = ["the result came in the old field toolResult"];
    return { content: none, structured: result["toolResult"], warnings };
  }
  const warnings = structured.structured === undefined ? ["the result had no content"] : none;
  return { content: none, ...structured, warnings };
}

function isBlock(value: unknown): value is ContentBlock {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function repair(value: unknown): ContentBlock {
  if (isBlock(value)) return value;
  if (typeof value === "string") return { type: "text", text: value };
  return { type: "text", text: `[block without a type: ${JSON.stringify(value) ?? "nothing"}]` };
}
