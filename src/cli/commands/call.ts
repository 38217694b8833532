import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Supervisor, ToolDescriptor, ToolResult } from "../../index.js";
import type { ServiceClient } from "../../http/index.js";
import { argumentsFor, readArguments } from "../context/arguments.js";
import type { WrittenArguments } from "../context/arguments.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { becomeReady, withFleet } from "../fleet/fleet.js";
import type { Fleet } from "../fleet/fleet.js";
import { onlyFor, toolNamed } from "../fleet/oneServer.js";
import type { FleetFlags } from "../context/options.js";
import { durationMs } from "../context/options.js";
import { withService } from "../fleet/service.js";
import { filesOf, isCut, wholeText } from "../screen/resultText.js";
import { jsonText, visible, visibleLines } from "../screen/visible.js";

export interface CallFlags extends FleetFlags {
  readonly timeout?: string;
  /** Characters of text to print; 0 for all. */
  readonly maxChars?: string;
  /** Folder for images and other files of the result. */
  readonly out?: string;
}

/** Calls one tool and prints its text, or the whole ToolResult with --json; only the server that it needs is started. */
export async function call(
  context: Context,
  flags: CallFlags,
  name: string,
  words: readonly string[],
): Promise<number> {
  const written = await readArguments(words, context.terminal.stdin);
  const timeout = flags.timeout === undefined ? {} : { timeout: durationMs("--timeout", flags.timeout) };
  const asked = await withService(context, flags, (client) =>
    callService(context, flags, client, name, written),
  );
  if (asked !== undefined) return asked;
  const only = await onlyFor(context, flags, name);
  return withFleet(context, flags, { watch: false, ...only }, async (fleet) => {
    await readyOrOffered(fleet, flags, name);
    const tool = toolNamed(fleet.supervisor.tools(), name);
    const result = await fleet.supervisor.callTool(
      tool?.name ?? name,
      argumentsFor(written, tool?.inputSchema),
      {
        ...timeout,
        signal: context.interrupts.signal,
        onProgress: (progress) => say(context, progressLine(progress)),
      },
    );
    return show(context, flags, result);
  });
}

async function callService(
  context: Context,
  flags: CallFlags,
  client: ServiceClient,
  name: string,
  written: WrittenArguments,
): Promise<number> {
  const following = new AbortController();
  const signal = AbortSignal.any([following.signal, context.interrupts.signal]);
  const told = tellApprovals(context, flags, client, signal);
  const timeout = flags.timeout === undefined ? {} : { timeout: durationMs("--timeout", flags.timeout) };
  try {
    const isPlain = written.pairs.length === 0 && !name.includes(".");
    const tool = isPlain ? undefined : toolNamed(await client.tools(), name);
    const args = argumentsFor(written, tool?.inputSchema);
    return show(context, flags, await client.call(tool?.name ?? name, args, { ...timeout, signal }));
  } finally {
    following.abort();
    await told;
  }
}

/** The service asks its own people; whoever waits here learns that it does. */
async function tellApprovals(
  context: Context,
  flags: CallFlags,
  client: ServiceClient,
  signal: AbortSignal,
): Promise<void> {
  const home = flags.home === undefined ? "" : ` --home ${flags.home}`;
  try {
    for await (const fact of client.events({ types: ["mcp.approval.requested"], signal })) {
      if (fact.type !== "mcp.approval.requested") continue;
      say(
        context,
        visible(`a call waits for approval (${fact.reason}): mcpvisor approve${home} ${fact.approval}`),
      );
    }
  } catch {
    // The notice is a courtesy: when the service goes away, the call itself tells.
  }
}

/** A slow neighbour need not be waited for: it is enough that somebody offers the tool. */
async function readyOrOffered(fleet: Fleet, flags: CallFlags, name: string): Promise<void> {
  const search = new AbortController();
  await Promise.race([becomeReady(fleet, flags), offered(fleet.supervisor, name, search.signal)]);
  search.abort();
}

function offered(supervisor: Supervisor, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const subscription = supervisor.tools$.subscribe((tools: readonly ToolDescriptor[]) => {
      if (toolNamed(tools, name) !== undefined) resolve();
    });
    signal.addEventListener("abort", () => subscription.unsubscribe(), { once: true });
  });
}

function progressLine(progress: { progress: number; total?: number; message?: string }): string {
  const of = progress.total === undefined ? "" : ` of ${progress.total}`;
  return visible(
    `progress: ${progress.progress}${of}${progress.message === undefined ? "" : `, ${progress.message}`}`,
  );
}

function show(context: Context, flags: CallFlags, result: ToolResult): number {
  if (flags.out !== undefined) save(context, flags.out, result);
  if (flags.json) print(context, jsonText(result));
  else showText(context, flags, result);
  return result.ok ? exitCodes.ok : exitCodes.failed;
}

function save(context: Context, folder: string, result: ToolResult): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, bytes } of filesOf(result)) {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    say(context, visible(`saved ${path} (${bytes.length} bytes)`));
  }
}

/** A pipe gets all of it, a screen what a model would read. */
function showText(context: Context, flags: CallFlags, result: ToolResult): void {
  for (const warning of result.warnings) say(context, visible(`warning: ${warning}`));
  if (!result.ok) {
    // What the tool itself wrote is more than its failure says.
    if (result.text !== "" && result.text !== result.failure.message)
      print(context, visibleLines(result.text));
    return say(context, visible(`${result.failure.kind}: ${result.failure.message}`));
  }
  const limit = maxCharsOf(flags.maxChars);
  const isForScreen = context.terminal.stdout.isTTY === true && limit === undefined;
  const text = isForScreen ? result.text : wholeText(result);
  const shown = limit === undefined || limit === 0 ? text : text.slice(0, limit);
  if (shown !== "") print(context, visibleLines(shown));
  if (isForScreen && isCut(result))
    say(context, "cut for the screen; all of it: --max-chars 0, or into a pipe or file");
  else if (shown.length < text.length)
    say(context, `cut: ${shown.length} of ${text.length} characters (--max-chars)`);
}

function maxCharsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`--max-chars "${text}" is not a number; 0 prints all`);
}
