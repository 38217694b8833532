import type { Clock } from "../../index.js";
import type { Output } from "../context/terminal.js";
import { columnsOf } from "./visible.js";

/** A block of lines at the bottom of a terminal that is drawn over itself. */
export interface Screen {
  /** Shows these lines from the next redraw on: at once, or up to 100 ms later when drawn just before. */
  draw(lines: (width: number) => readonly string[]): void;
  /** Removes the block, so that something else may be written; `resume` brings it back. */
  pause(): void;
  resume(): void;
  /** Draws the last lines once more and leaves them standing. */
  close(): void;
}

const between = 100;
const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
const eraseToEnd = "\u001b[J";
const eraseLine = "\u001b[K";
// SGR sequences are the only ones our own lines hold; text of servers comes escaped (visible.ts).
// oxlint-disable-next-line no-control-regex
const colors = /\u001b\[[0-9;]*m/g;

/** Redraws on change, at most ten times a second, and after each change of the window's size. */
export function openScreen(output: Output, clock: Clock): Screen {
  let content = nothing;
  let shown: readonly string[] = [];
  let lastDrawn = Number.NEGATIVE_INFINITY;
  let timer: unknown;
  let paused = false;

  const columns = () => known(output.columns, 80);
  const width = () => Math.max(20, columns() - 1);
  const redraw = () => {
    timer = undefined;
    if (paused) return;
    lastDrawn = clock.now();
    const lines = cropped(content(width()), known(output.rows, 24) - 1);
    output.write(
      `${upOver(shown, columns())}${lines.map((each) => `${each}${eraseLine}\n`).join("")}${eraseToEnd}`,
    );
    shown = lines;
  };
  const schedule = () => {
    if (timer !== undefined || paused) return;
    const due = lastDrawn + between - clock.now();
    if (due <= 0) redraw();
    else timer = clock.setTimeout(redraw, due);
  };

  output.write(hideCursor);
  output.on("resize", schedule);
  return {
    draw(lines) {
      content = lines;
      schedule();
    },
    pause() {
      paused = true;
      output.write(`${upOver(shown, columns())}${eraseToEnd}${showCursor}`);
      shown = [];
    },
    resume() {
      paused = false;
      output.write(hideCursor);
      schedule();
    },
    close() {
      output.off("resize", schedule);
      if (timer !== undefined) clock.clearTimeout(timer);
      redraw();
      output.write(showCursor);
    },
  };
}

const nothing: (width: number) => readonly string[] = () => [];

/** Some terminals say that they have no columns and rows: they do not know. */
function known(size: number | undefined, usual: number): number {
  return size !== undefined && size > 0 ? size : usual;
}

/** Moves the cursor to the first line of what is shown, counting lines that a narrower window has wrapped. */
function upOver(lines: readonly string[], columns: number): string {
  const rows = lines.reduce((total, each) => {
    return total + Math.max(1, Math.ceil(columnsOf(each.replace(colors, "")) / columns));
  }, 0);
  return rows === 0 ? "\r" : `\u001b[${rows}A\r`;
}

/** A window cannot be drawn above its first row: what does not fit is counted instead. */
function cropped(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  const kept = Math.max(1, rows - 1);
  return [...lines.slice(0, kept), `… ${lines.length - kept} more lines (make the window taller)`];
}
