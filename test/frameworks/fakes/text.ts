export const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export function jsonOf(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}

/** A text in pieces, as models stream it. */
export function pieces(text: string): string[] {
  const half = Math.ceil(text.length / 2);
  return text === "" ? [] : [text.slice(0, half), text.slice(half)].filter(Boolean);
}

export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
