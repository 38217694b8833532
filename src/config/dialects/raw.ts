import type { ConfigProblem } from "../../errors.js";
import type { Dialect } from "../../spec.js";

/** One entry of a file before anything of it is believed. */
export interface RawEntry {
  readonly dialect: Dialect;
  readonly name: string;
  /** Where it stands in its file, such as `mcpServers.github`. */
  readonly path: string;
  /** The same, step by step. */
  readonly at: readonly (string | number)[];
  readonly value: unknown;
}

export interface RawFile {
  readonly entries: readonly RawEntry[];
  readonly problems: readonly ConfigProblem[];
}

/** An entry at a place of its file. */
export function entryAt(
  dialect: RawEntry["dialect"],
  name: string,
  at: readonly (string | number)[],
  value: unknown,
): RawEntry {
  return { dialect, name, at, path: at.join("."), value };
}

/** A file, or a section of it, that has not the shape it must have. */
export function wrongShape(path: string, message: string, hint?: string): RawFile {
  const problem: ConfigProblem = {
    severity: "error",
    message,
    ...(path === "" ? {} : { path }),
    ...(hint === undefined ? {} : { hint }),
  };
  return { entries: [], problems: [problem] };
}
