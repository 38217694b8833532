import type { ToolResult } from "../../index.js";

/** What a block may hold (MCP, Tools / Tool Result), as far as it is shown or saved. */
interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly mimeType?: string;
  readonly data?: unknown;
  readonly resource?: { readonly text?: string; readonly blob?: unknown; readonly mimeType?: string };
}

const cutMark = /\n\[cut: \d+ of \d+ characters shown; content holds all of it\]$/;

/** Whether a result's text was cut, as is right for a model. */
export function isCut({ text }: ToolResult): boolean {
  return cutMark.test(text);
}

/** All of a result as text: what it holds besides text stands as one line each. */
export function wholeText(result: ToolResult): string {
  if (!result.ok || !isCut(result)) return result.text;
  const parts = result.content.map((block) => {
    const { type, text, mimeType, resource } = (block ?? {}) as Block;
    return (
      text ?? resource?.text ?? `[${type ?? "block"}: ${mimeType ?? resource?.mimeType ?? "of unknown type"}]`
    );
  });
  const whole = parts.join("\n");
  // Where the text was made of structured content alone, that is what was cut.
  return whole === "" && result.structured !== undefined ? JSON.stringify(result.structured, null, 2) : whole;
}

/** A file in a result: an image, a sound, or a resource that is no text. */
export interface ResultFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const endings: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "application/pdf": "pdf",
  "application/json": "json",
  "application/zip": "zip",
};

/** The files of a result, named by their place in it. */
export function filesOf(result: ToolResult): ResultFile[] {
  return result.content.flatMap((block, index): ResultFile[] => {
    const { type = "file", mimeType, data, resource } = (block ?? {}) as Block;
    const base64 = data ?? resource?.blob;
    if (typeof base64 !== "string") return [];
    const name = `${type}-${index + 1}.${endings[mimeType ?? resource?.mimeType ?? ""] ?? "bin"}`;
    return [{ name: name.replaceAll(/[^\w.-]/g, "_"), bytes: Buffer.from(base64, "base64") }];
  });
}
