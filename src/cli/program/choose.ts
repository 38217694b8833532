import type { Context } from "../context/context.js";

/** A command with its arguments, ready to run; resolves with the exit code. */
export type Run = (context: Context) => Promise<number>;

/** Takes the command that the user chose. It is loaded only when it runs, so that help and version load nothing. */
export type Choose = (run: Run) => void;
