/** At most so much of one server's text, and of all together. */
const perServer = 2048;
const inAll = 8192;

/**
 * The instructions of the servers a consumer sees, each under a heading of its own: they are texts of strangers, so hidden
 * characters show as escapes and none can pose as another's heading.
 */
export function instructionsOf(
  servers: readonly { readonly id: string; readonly instructions?: string }[],
  first?: string,
): string | undefined {
  const parts = first === undefined ? [] : [first];
  let left = inAll - (first?.length ?? 0);
  for (const { id, instructions } of servers) {
    if (instructions === undefined || instructions.trim() === "") continue;
    const head = `## ${id}\n`;
    const room = Math.min(perServer, left - head.length);
    if (room < 80) break;
    const part = head + cut(tame(instructions), room);
    parts.push(part);
    left -= part.length + 2;
  }
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  const mark = " [cut]";
  return text.slice(0, room - mark.length).replace(/[\uD800-\uDBFF]$/, "") + mark;
}

/** Control, format and private characters as escapes; a heading of ours cannot be imitated. */
function tame(text: string): string {
  return text
    .trim()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, (each) =>
      each === "\n" || each === "\t" ? each : `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .replaceAll(/^#{1,2} /gm, "### ");
}
