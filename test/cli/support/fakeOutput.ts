import { EventEmitter } from "node:events";

/** A stream to write to that keeps what it was given; a terminal when it has columns. */
export class FakeOutput extends EventEmitter {
  readonly chunks: string[] = [];
  readonly isTTY: boolean;
  columns: number | undefined;
  rows: number | undefined;

  constructor(size?: { columns: number; rows: number }) {
    super();
    this.isTTY = size !== undefined;
    this.columns = size?.columns;
    this.rows = size?.rows;
  }

  write(text: string): boolean {
    this.chunks.push(text);
    return true;
  }

  get text(): string {
    return this.chunks.join("");
  }
}
