import { visible } from "../../protocol/visible.js";

const longest = 16_384;

/** Whole lines out of the chunks of one process's stderr; a line without an end is told once it is too long. */
export function createLineTeller(tell: (line: string) => void): (chunk: Buffer) => void {
  let rest = "";
  const decoder = new TextDecoder();
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? "";
    if (rest.length > longest) {
      lines.push(rest);
      rest = "";
    }
    for (const line of lines) if (line.trim() !== "") tell(visible(line));
  };
}
