/** A very small terminal: enough of VT100 to say what a person would see. */
export function seen(written: string, columns: number): string[] {
  const rows: string[] = [""];
  let row = 0;
  let column = 0;
  const put = (character: string) => {
    if (column === columns) {
      row += 1;
      column = 0;
    }
    const line = (rows[row] ?? "").padEnd(column, " ");
    rows[row] = line.slice(0, column) + character + line.slice(column + 1);
    column += 1;
  };
  // oxlint-disable-next-line no-control-regex
  for (const token of written.match(/\u001b\[[?0-9;]*[A-Za-z]|[\s\S]/g) ?? []) {
    if (/^..\d+A$/.test(token)) row = Math.max(0, row - Number(token.slice(2, -1)));
    else if (token === "\u001b[K") rows[row] = (rows[row] ?? "").slice(0, column);
    else if (token === "\u001b[J") {
      rows.length = row + 1;
      rows[row] = (rows[row] ?? "").slice(0, column);
    } else if (token === "\r") column = 0;
    else if (token === "\n") {
      row += 1;
      column = 0;
    } else if (!token.startsWith("\u001b")) put(token);
  }
  return Array.from(rows, (line) => line ?? "");
}
