import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hosts, importConfig, takeOver } from "../../config/index.js";
import type { Host, TakenOver } from "../../config/index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { count } from "../screen/factLine.js";
import { homeOf } from "../context/home.js";
import { jsonText, visible } from "../screen/visible.js";

export interface ImportFlags {
  readonly host?: string;
  readonly to?: string;
  readonly home?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const targets = { settings: "settings.json", user: "mcp.json" } as const;

/**
 * Takes over the servers of another program's file; approvals given there do not come along. 1 when a server of it is
 * not in our file afterwards (with --dry-run: would not be).
 */
export async function importFile(context: Context, flags: ImportFlags, from: string): Promise<number> {
  const source = resolve(from);
  const home = homeOf(context, flags);
  const file = join(home, targets[targetOf(flags.to ?? "settings")]);
  const host = flags.host === undefined ? {} : { host: hostOf(flags.host) };
  const { servers, notes, ...found } = await importConfig(await read(source), { file: source, ...host });
  const dryRun = flags.dryRun === true;
  const taken = await takeOver(file, servers, { home, workspace: resolve("."), dryRun });
  const ok = taken.every(({ outcome }) => outcome === "written" || outcome === "valid");
  if (flags.json) print(context, jsonText({ ok, host: found.host, file, dryRun, servers: taken, notes }));
  else {
    for (const note of notes) say(context, visible(`${source}: ${note}`));
    for (const each of taken) tell(context, each, file);
    say(context, summary(taken, found.host, file));
  }
  return ok ? exitCodes.ok : exitCodes.failed;
}

function tell(context: Context, { name, id, outcome, entry, notes }: TakenOver, file: string): void {
  const words: Record<TakenOver["outcome"], string> = {
    written: "taken over",
    valid: "would be taken over",
    refused: "NOT taken over",
    exists: `NOT taken over: ${file} has it already; \`mcpvisor remove ${id ?? ""}\` makes room`,
    invalid: "NOT taken over",
  };
  const renamed = id === undefined || id === name ? "" : ` as ${id}`;
  print(context, visible(`${name}${renamed}: ${words[outcome]}`));
  if (entry !== undefined) print(context, `  ${jsonText(entry)}`);
  for (const note of notes) print(context, visible(`  ${note}`));
}

function summary(taken: readonly TakenOver[], host: Host, file: string): string {
  const kept = taken.filter(({ outcome }) => outcome === "written" || outcome === "valid").length;
  const dry = taken.some(({ outcome }) => outcome === "valid") ? " (nothing was written)" : "";
  return visible(`${kept} of ${count(taken.length, "server")} of a ${host} file into ${file}${dry}`);
}

function targetOf(text: string): keyof typeof targets {
  if (text === "settings" || text === "user") return text;
  throw new UsageError(`--to "${text}" is not known; choose settings or user`);
}

function hostOf(text: string): Host {
  const host = hosts.find((each) => each === text);
  if (host === undefined)
    throw new UsageError(`--host "${text}" is not known; choose one of ${hosts.join(", ")}`);
  return host;
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be read (${code})`, { cause: error });
  }
}
