import type { ContentBlock } from "../../index.js";
import type { Media } from "../contract/calls.js";

const none: readonly Media[] = [];

/** Images, sounds and binary files of a result (MCP 2025-11-25, Tool Result). */
export function mediaOf(content: readonly ContentBlock[]): readonly Media[] {
  // The usual case: text alone.
  if (content.length <= 1 && content[0]?.type === "text") return none;
  return content.flatMap((block) => {
    const { type, data, mimeType, resource } = block as Record<string, unknown>;
    if ((type === "image" || type === "audio") && typeof data === "string") {
      return [
        { kind: type, data, mimeType: text(mimeType) ?? (type === "image" ? "image/png" : "audio/wav") },
      ];
    }
    const held =
      typeof resource === "object" && resource !== null ? (resource as Record<string, unknown>) : {};
    if (type !== "resource" || typeof held["blob"] !== "string") return [];
    const kindOf = text(held["mimeType"]) ?? "application/octet-stream";
    const kind = kindOf.startsWith("image/") ? "image" : kindOf.startsWith("audio/") ? "audio" : "file";
    const name = text(held["uri"])?.split("/").at(-1);
    return [{ kind, data: held["blob"], mimeType: kindOf, ...(name !== undefined && { name }) } as const];
  });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Bytes of what base64 text holds. */
export function bytesOf(data: string): number {
  return Math.floor((data.length * 3) / 4);
}
