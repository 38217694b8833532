import { join, resolve } from "node:path";
import { enableEntry, removeEntryOf, saveEntry, showEntry } from "../../config/index.js";
import type { ServerConfig } from "../../index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { homeOf } from "../context/home.js";
import { jsonText, visible, visibleLines } from "../screen/visible.js";

export interface EditFlags {
  readonly config?: string;
  readonly home?: string;
  readonly json?: boolean;
}

export interface AddFlags extends EditFlags {
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly autoApprove?: readonly string[];
}

/** Writes a server into a file; a running supervisor that watches it starts the server. */
export async function add(
  context: Context,
  flags: AddFlags,
  id: string,
  target: readonly string[],
): Promise<number> {
  const file = fileOf(context, flags);
  await saveEntry(file, configOf(id, target, flags), {
    home: homeOf(context, flags),
    workspace: resolve("."),
  });
  say(
    context,
    visible(`${file}: saved "${id}"; try it with: mcpvisor tools --server ${id} --config ${file}`),
  );
  return exitCodes.ok;
}

/** Removes a server from a file, switches it on or off there, or shows it with its secrets hidden. */
export async function edit(
  context: Context,
  flags: EditFlags,
  what: "remove" | "enable" | "disable" | "show",
  id: string,
): Promise<number> {
  const file = fileOf(context, flags);
  if (what === "show") return show(context, flags, file, id);
  const found =
    what === "remove" ? await removeEntryOf(file, id) : await enableEntry(file, id, what === "enable");
  if (!found) throw missing(file, id);
  say(context, visible(`${file}: ${what}d "${id}"`));
  return exitCodes.ok;
}

async function show(context: Context, flags: EditFlags, file: string, id: string): Promise<number> {
  const entry = await showEntry(file, id);
  if (entry === undefined) throw missing(file, id);
  print(context, flags.json ? jsonText(entry) : visibleLines(JSON.stringify(entry, undefined, 2)));
  return exitCodes.ok;
}

function configOf(id: string, target: readonly string[], flags: AddFlags): ServerConfig {
  const approved = flags.autoApprove === undefined ? {} : { auto_approve: flags.autoApprove };
  const [first = "", ...args] = target;
  if (!/^https?:\/\//i.test(first)) {
    if (flags.header !== undefined)
      throw new UsageError("--header is for servers with a URL; use --env for a command");
    const env = flags.env === undefined ? {} : { env: pairs("--env", flags.env, "=") };
    return { id, transport: "stdio", command: first, args, ...env, ...approved };
  }
  if (args.length > 0) throw new UsageError(`a server with a URL takes no arguments: ${args.join(" ")}`);
  if (flags.env !== undefined)
    throw new UsageError("--env is for servers with a command; use --header for a URL");
  const headers = flags.header === undefined ? {} : { headers: pairs("--header", flags.header, ":") };
  return { id, transport: "http", url: first, ...headers, ...approved };
}

/** The value is not repeated in the message: it may be a secret. */
function pairs(flag: string, texts: readonly string[], between: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text, index) => {
      const at = text.indexOf(between);
      if (at < 1) throw new UsageError(`${flag} number ${index + 1} has no "${between}" after its name`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

function fileOf(context: Context, flags: EditFlags): string {
  return flags.config === undefined ? join(homeOf(context, flags), "settings.json") : resolve(flags.config);
}

function missing(file: string, id: string): UsageError {
  return new UsageError(
    `there is no server "${id}" in ${file}; \`mcpvisor check\` lists those that are there`,
  );
}
