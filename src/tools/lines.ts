import type { ContentBlock } from "../protocol/mcp.js";
import { clip } from "./cut.js";
import { escapeHidden } from "../hiddenText.js";

/** Whether a block is text by itself, so that structured content need not be shown as well. */
export function isReadable(block: ContentBlock): boolean {
  if (block.type === "text") return typeof block["text"] === "string";
  return block.type === "resource" && typeof field(block["resource"], "text") === "string";
}

/** A block as a model reads it: texts as they are, one line in brackets for what is no text. */
export function lineOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return typeof block["text"] === "string" ? block["text"] : unknownKind(block);
    case "image":
    case "audio":
      return typeof block["data"] === "string"
        ? `[${block.type}: ${label(block["mimeType"], "unknown type")}, ${byteCount(block["data"])} bytes, not shown]`
        : unknownKind(block);
    case "resource":
      return resource(block);
    case "resource_link":
      return link(block);
    default:
      return unknownKind(block);
  }
}

function resource(block: ContentBlock): string {
  const inner = block["resource"];
  const text = field(inner, "text");
  if (typeof text === "string") return text;
  const blob = field(inner, "blob");
  if (typeof blob !== "string") return unknownKind(block);
  const uri = label(field(inner, "uri"), "no address");
  const type = label(field(inner, "mimeType"), "unknown type");
  return `[resource: ${uri}, ${type}, ${byteCount(blob)} bytes, not shown]`;
}

function link(block: ContentBlock): string {
  const parts = [label(block["title"] ?? block["name"], ""), label(block["uri"], "no address")];
  parts.push(label(block["mimeType"], ""));
  if (typeof block["size"] === "number") parts.push(`${block["size"]} bytes`);
  return `[resource link: ${parts.filter((part) => part !== "").join(", ")}]`;
}

function unknownKind(block: ContentBlock): string {
  const size = JSON.stringify(block).length;
  return `[${label(block.type, "unnamed")} block, ${size} characters of JSON, not shown]`;
}

function byteCount(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  const whole = base64.length % 4 === 0 ? padding : 0;
  return Math.floor((base64.length * 3) / 4) - whole;
}

/** A short text of a server inside a line of ours: it must not end the line or hide anything. */
function label(value: unknown, otherwise: string): string {
  if (typeof value !== "string" || value === "") return otherwise;
  return escapeHidden(clip(value, 300)).replaceAll(/[\n\t]+/g, " ");
}

function field(holder: unknown, key: string): unknown {
  return typeof holder === "object" && holder !== null ? Reflect.get(holder, key) : undefined;
}
