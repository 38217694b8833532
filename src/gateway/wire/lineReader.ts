import { StringDecoder } from "node:string_decoder";

/** Takes chunks of bytes apart into lines; a line over `most` characters ends it all through `onTooLong`. */
export function lineReader(
  onLine: (line: string) => void,
  most = 16 * 1024 * 1024,
  onTooLong: () => void = () => undefined,
): (chunk: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  let size = 0;
  return (chunk) => {
    let text = decoder.write(chunk);
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n")) {
      parts.push(text.slice(0, at));
      const line = parts.length === 1 ? (parts[0] ?? "") : parts.join("");
      parts = [];
      size = 0;
      text = text.slice(at + 1);
      onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
    if (text === "") return;
    parts.push(text);
    size += text.length;
    if (size > most) onTooLong();
  };
}
