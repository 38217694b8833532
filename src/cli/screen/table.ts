import { columnsOf, truncate } from "./visible.js";

/** One cell: text without control characters, and how to colour it once it has its width. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

export interface Column {
  readonly title: string;
  readonly align?: "right";
  /** May be cut down to so many columns when the line is too long; others keep their width. */
  readonly shrinkTo?: number;
  /** How much it is worth: where a line is too long, columns with the least go first. Absent: it stays. */
  readonly worth?: number;
}

const gap = 2;

/**
 * Rows as lines of at most `width` columns. What does not fit even with shortened columns loses those that are worth least;
 * when those that stay do not fit side by side either, each row becomes a small block of `title value` pairs.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
): string[] {
  const widths = fit(columns, rows, width);
  if (widths === undefined) {
    const least = leastWorth(columns);
    if (least === undefined) return rows.flatMap((row) => block(columns, row, width));
    const without = <T>(all: readonly T[]): T[] => all.filter((_, index) => index !== least);
    return table(without(columns), rows.map(without), width);
  }
  const header = columns.map((column) => ({ text: column.title }));
  return [header, ...rows].map((row) => line(columns, row, widths));
}

function leastWorth(columns: readonly Column[]): number | undefined {
  let least: number | undefined;
  for (const [index, { worth }] of columns.entries())
    if (worth !== undefined && (least === undefined || worth < (columns[least]?.worth ?? worth)))
      least = index;
  return least;
}

function fit(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
): number[] | undefined {
  const natural = columns.map((column, index) =>
    Math.max(columnsOf(column.title), ...rows.map((row) => columnsOf(row[index]?.text ?? ""))),
  );
  let over = sum(natural) + gap * (columns.length - 1) - width;
  const widths = [...natural];
  // The last columns give way first: they are the ones with prose.
  for (let index = columns.length - 1; index >= 0 && over > 0; index -= 1) {
    const least = columns[index]?.shrinkTo ?? Number.POSITIVE_INFINITY;
    const given = Math.max(0, Math.min(over, (widths[index] ?? 0) - least));
    widths[index] = (widths[index] ?? 0) - given;
    over -= given;
  }
  return over > 0 ? undefined : widths;
}

function line(columns: readonly Column[], row: readonly Cell[], widths: readonly number[]): string {
  const cells = row.map((cell, index) => {
    const text = truncate(cell.text, widths[index] ?? 0);
    const padding = " ".repeat((widths[index] ?? 0) - columnsOf(text));
    const painted = cell.paint === undefined ? text : cell.paint(text);
    return columns[index]?.align === "right" ? padding + painted : painted + padding;
  });
  return cells.join(" ".repeat(gap)).trimEnd();
}

function block(columns: readonly Column[], row: readonly Cell[], width: number): string[] {
  const lines: string[] = [];
  let current = "";
  row.forEach((cell, index) => {
    if (cell.text === "") return;
    const title = columns[index]?.title ?? "";
    const part = truncate(index === 0 ? cell.text : `${title} ${cell.text}`, width - 2);
    const joined = current === "" ? part : `${current}, ${part}`;
    if (columnsOf(joined) <= width && current !== "") current = joined;
    else {
      if (current !== "") lines.push(current);
      current = lines.length === 0 && current === "" ? part : `  ${part}`;
    }
  });
  if (current !== "") lines.push(current);
  return lines;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
