import { callRows } from "./rows/call.js";
import { handshakeRows } from "./rows/handshake.js";
import { httpRows } from "./rows/http.js";
import { listRows } from "./rows/list.js";
import { outsideRows } from "./rows/outside.js";
import { shutdownRows } from "./rows/shutdown.js";
import { spawnRows } from "./rows/spawn.js";

/** A test elsewhere that covers a row, by its name as it stands in the file. */
export interface Elsewhere {
  readonly file: string;
  readonly test: string;
}

/** One row of the fault matrix: what is injected, what must follow, and what proves it. */
export interface Row {
  readonly row: number;
  readonly fault: string;
  readonly outcome: string;
  /** Runs here: injects the fault, checks that it happened, and checks what followed. */
  readonly run?: () => Promise<void>;
  readonly elsewhere?: readonly Elsewhere[];
}

/** All rows, in their order. */
export const matrix: readonly Row[] = [
  ...spawnRows,
  ...handshakeRows,
  ...listRows,
  ...callRows,
  ...shutdownRows,
  ...httpRows,
  ...outsideRows,
];
