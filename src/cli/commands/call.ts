import { text } from "node:stream/consumers";
import type { Supervisor, ToolResult } from "../../index.js";
import type { ServiceClient } from "../../http/index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { becomeReady, withFleet } from "../fleet/fleet.js";
import type { Fleet } from "../fleet/fleet.js";
import type { FleetFlags } from "../context/options.js";
import { durationMs } from "../context/options.js";
import { withService } from "../fleet/service.js";
import { jsonText, visible, visibleLines } from "../screen/visible.js";

export interface CallFlags extends FleetFlags {
  readonly timeout?: string;
}

/** Calls one tool: its text, or the whole ToolResult with --json. `-` reads the arguments from stdin. */
export async function call(
  context: Context,
  flags: CallFlags,
  name: string,
  json: string | undefined,
): Promise<number> {
  const args = parseArguments(json === "-" ? await text(context.terminal.stdin) : json);
  const timeout = flags.timeout === undefined ? {} : { timeout: durationMs("--timeout", flags.timeout) };
  const asked = await withService(context, flags, (client) =>
    callService(context, flags, client, name, args),
  );
  return (
    asked ??
    withFleet(context, flags, { watch: false }, async (fleet) => {
      await readyOrOffered(fleet, flags, name);
      const result = await fleet.supervisor.callTool(name, args, {
        ...timeout,
        signal: context.interrupts.signal,
        onProgress: (progress) => say(context, progressLine(progress)),
      });
      return show(context, flags, result);
    })
  );
}

async function callService(
  context: Context,
  flags: CallFlags,
  client: ServiceClient,
  name: string,
  args: unknown,
): Promise<number> {
  const following = new AbortController();
  const signal = AbortSignal.any([following.signal, context.interrupts.signal]);
  const told = tellApprovals(context, flags, client, signal);
  const timeout = flags.timeout === undefined ? {} : { timeout: durationMs("--timeout", flags.timeout) };
  try {
    return show(context, flags, await client.call(name, args, { ...timeout, signal }));
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
    const subscription = supervisor.tools$.subscribe((tools) => {
      if (tools.some((tool) => tool.name === name)) resolve();
    });
    signal.addEventListener("abort", () => subscription.unsubscribe(), { once: true });
  });
}

function parseArguments(json: string | undefined): unknown {
  if (json === undefined || json.trim() === "") return {};
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `the arguments are not JSON: ${reason}; write for example '{"path": "notes.txt"}', or - to read them from stdin`,
    );
  }
}

function progressLine(progress: { progress: number; total?: number; message?: string }): string {
  const of = progress.total === undefined ? "" : ` of ${progress.total}`;
  return visible(
    `progress: ${progress.progress}${of}${progress.message === undefined ? "" : `, ${progress.message}`}`,
  );
}

function show(context: Context, flags: CallFlags, result: ToolResult): number {
  if (flags.json) print(context, jsonText(result));
  else showText(context, result);
  return result.ok ? exitCodes.ok : exitCodes.failed;
}

function showText(context: Context, result: ToolResult): void {
  for (const warning of result.warnings) say(context, visible(`warning: ${warning}`));
  if (result.text !== "") print(context, visibleLines(result.text));
  if (!result.ok) say(context, visible(`${result.failure.kind}: ${result.failure.message}`));
}
