// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const colours = /\u001b\[[0-9;]*m/g;
// oxlint-disable-next-line no-control-regex -- C0 but tab, DEL, C1
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;

/** Text of a server as it may be shown: colours removed, other control characters written out, `maxChars` at most. */
export function visible(text: string, maxChars = Infinity): string {
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return cut.replace(colours, "").replace(controls, escape);
}

function escape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** What a server says, inside a message of ours. */
export function quoted(text: string): string {
  return visible(text, 500);
}
