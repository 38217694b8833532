import type { IncomingMessage } from "node:http";

export type Body = { readonly text: string } | { readonly problem: "too-large" | "broken" };

/** The body of a request as text, counted while it is read. */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        incoming.pause();
        return resolve({ problem: "too-large" });
      }
      chunks.push(chunk);
    });
    incoming.on("end", () =>
      resolve({
        text:
          chunks.length === 1
            ? (chunks[0] as Buffer).toString("utf8")
            : Buffer.concat(chunks).toString("utf8"),
      }),
    );
    incoming.on("error", () => resolve({ problem: "broken" }));
    incoming.on("aborted", () => resolve({ problem: "broken" }));
  });
}

const deepest = 200;

/** Whether a JSON text is nested no deeper than anything sensible; looks at brackets outside of strings only. */
export function isShallow(text: string): boolean {
  // Each level takes two characters.
  if (text.length < deepest * 2) return true;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) return false;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return true;
}
