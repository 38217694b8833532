import type { ConfigProblem } from "../../errors.js";

/** One entry of a file before anything of it is believed. */
export interface RawEntry {
  readonly dialect: "settings" | "mcpServers";
  readonly name: string;
  /** Where it stands in its file, such as `mcpServers.github`. */
  readonly path: string;
  readonly value: unknown;
}

export interface RawFile {
  readonly entries: readonly RawEntry[];
  readonly problems: readonly ConfigProblem[];
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
