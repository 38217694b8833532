import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../../src/cli/program/program.js";
import { root } from "./blocks.js";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** What is wrong with a command as a page has it; undefined when a reader can type it. */
export function wrongCommand([name = "", ...args]: readonly string[]): string | undefined {
  if (name === "mcpvisor") return wrongCall(args);
  if (name === "npm") return wrongScript(args);
  if (name === "node") return wrongFile(args[0]);
  if (name === "npx" && args[0] === "vitest")
    return args
      .slice(2)
      .filter((each) => !each.startsWith("-"))
      .map(wrongFile)
      .find(Boolean);
  // What a shell has of its own, or what everybody has.
  return ["echo", "source", "git", "cd"].includes(name)
    ? undefined
    : `${name} is not known here; mark the block as an excerpt`;
}

/** The real command line reads it, and would now run it. */
function wrongCall(args: readonly string[]): string | undefined {
  let runs = 0;
  const program = createProgram("0.0.0", () => {
    runs += 1;
  });
  quiet(program);
  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return runs === 1 ? undefined : "no command was chosen";
}

/** A mention in a sentence: the command is there, and so is each flag of it. */
export function wrongMention(text: string): string | undefined {
  const words = text
    .replaceAll(/[[\]…]/g, " ")
    .split(/\s+/)
    .slice(1);
  const program = createProgram("0.0.0", () => {});
  const own = words[0] === undefined || /^[A-Z-]/.test(words[0]);
  const command = own ? program : program.commands.find((each) => each.name() === words[0]);
  if (command === undefined) return `there is no command ${words[0]}`;
  const inner = command.commands.find((each) => each.name() === words[1]) ?? command;
  const flags = [...command.options, ...inner.options].flatMap(({ long, short }) => [long, short]);
  const unknown = words
    .flatMap((word) => /^--?[a-z][\w-]*/.exec(word) ?? [])
    .filter((flag) => !flags.includes(flag) && !["--help", "--version", "-h", "-V"].includes(flag));
  return unknown.length === 0 ? undefined : `${words[0]} has no ${unknown.join(", ")}`;
}

function quiet(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const each of command.commands) quiet(each);
}

function wrongScript([order = "", script = ""]: readonly string[]): string | undefined {
  if (order === "ci" || order === "install") return undefined;
  const name = order === "run" ? script : order;
  return scripts[name] === undefined ? `package.json has no script ${name}` : undefined;
}

function wrongFile(path = ""): string | undefined {
  return existsSync(join(root, path)) ? undefined : `there is no ${path}`;
}
