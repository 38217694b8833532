/** Keeps beginning and end of a text that is too long for a model, and says what to do. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor(most * 0.75);
  const tail = Math.max(0, most - head);
  const cut = text.length - head - tail;
  const notice = `\n[… ${cut} characters left out here: the answer was too long. Ask for less, such as a smaller range or a narrower filter …]\n`;
  return `${whole(text.slice(0, head))}${notice}${tail === 0 ? "" : whole(text.slice(-tail))}`;
}

/** Half a surrogate pair is no character. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, "").replace(/[\uD800-\uDBFF]$/, "");
}
