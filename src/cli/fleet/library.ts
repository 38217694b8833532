import type { Failure, Outcome, ServerHandle } from "../../index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { becomeReady, withFleet } from "./fleet.js";
import type { FleetFlags } from "../context/options.js";
import { jsonText, visible } from "../screen/visible.js";

/** What a server answered to a list, or why there is none. */
export interface Listed<T> {
  readonly server: string;
  readonly items: readonly T[];
  readonly failure?: Failure;
}

/** Asks one server, or every enabled one, for a list; `show` prints it. 1 when one of them failed. */
export async function listEach<T>(
  context: Context,
  flags: FleetFlags,
  server: string | undefined,
  ask: (handle: ServerHandle) => Promise<Outcome<readonly T[]>>,
  show: (lists: readonly Listed<T>[]) => void,
): Promise<number> {
  return withFleet(context, flags, { watch: false }, async ({ supervisor, ...fleet }) => {
    if (server === undefined) await becomeReady({ supervisor, ...fleet }, flags);
    const enabled = supervisor.servers().filter((each) => each.enabled);
    const ids = server === undefined ? enabled.map(({ id }) => id) : [server];
    const lists = await Promise.all(
      ids.map(async (id): Promise<Listed<T>> => {
        const outcome = await ask(handleOf(supervisor.server(id), id));
        if (outcome.ok) return { server: id, items: outcome.value };
        return { server: id, items: [], failure: outcome.failure };
      }),
    );
    show(lists);
    const failures = lists.flatMap(({ failure }) => failure ?? []);
    if (!flags.json) for (const failure of failures) tell(context, failure);
    return failures.length === 0 ? exitCodes.ok : exitCodes.failed;
  });
}

/** Asks one server one thing: prints the value (or with --json the whole outcome), 1 when it failed. */
export async function askOne<T>(
  context: Context,
  flags: FleetFlags,
  server: string,
  ask: (handle: ServerHandle) => Promise<Outcome<T>>,
  show: (value: T) => void,
): Promise<number> {
  return withFleet(context, flags, { watch: false }, async ({ supervisor }) => {
    const outcome = await ask(handleOf(supervisor.server(server), server));
    if (flags.json) print(context, jsonText(outcome));
    else if (outcome.ok) {
      for (const warning of outcome.warnings) say(context, visible(`warning: ${warning}`));
      show(outcome.value);
    } else tell(context, outcome.failure);
    return outcome.ok ? exitCodes.ok : exitCodes.failed;
  });
}

/** `NAME=value` as a flag gives it; the value may be empty. */
export function argumentOf(flag: string, text: string): { name: string; value: string } {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`${flag} "${text}" has no "=" after the argument's name`);
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

function handleOf(handle: ServerHandle | undefined, id: string): ServerHandle {
  if (handle === undefined)
    throw new UsageError(`there is no server "${id}"; \`mcpvisor servers\` lists those there are`);
  return handle;
}

function tell(context: Context, failure: Failure): void {
  say(context, visible(`${failure.kind}: ${failure.message}`));
}
