#!/usr/bin/env node
import { CommanderError } from "commander";
import { exitCodes } from "./context/exitCodes.js";
import type { Run } from "./program/choose.js";
import { createProgram } from "./program/program.js";
import { version } from "../version.js";

// Help, version and completion load nothing but the parser; the library comes with the first command that runs.
void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  process.exitCode = await codeOf(args);
}

async function codeOf(args: readonly string[]): Promise<number> {
  const chosen: Run[] = [];
  try {
    const program = createProgram(version, (run) => chosen.push(run));
    if (args.length === 0) program.help({ error: true });
    program.parse(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    throw error;
  }
  const [run] = chosen;
  return run === undefined ? exitCodes.usage : (await import("./run.js")).runCommand(run);
}
