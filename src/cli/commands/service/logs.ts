import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { print, say } from "../../context/context.js";
import type { Context } from "../../context/context.js";
import { exitCodes, UsageError } from "../../context/exitCodes.js";
import { homeOf } from "../../context/home.js";
import { wait } from "../../context/wait.js";
import { logFolder, loggedServers, logPath } from "../../fleet/serverLogs.js";
import type { ServiceFlags } from "../../fleet/service.js";
import { visible } from "../../screen/visible.js";

export interface LogsFlags extends ServiceFlags {
  readonly follow?: boolean;
  readonly lines?: string;
}

interface Line {
  readonly server: string;
  readonly text: string;
}

const betweenMs = 250;

/** Prints what servers of the service wrote to stderr, oldest first; follows it with `-f`. */
export async function logs(context: Context, flags: LogsFlags, server: string | undefined): Promise<number> {
  const home = homeOf(context, flags);
  const most = flags.lines === undefined ? 100 : Number(flags.lines);
  if (!Number.isInteger(most) || most < 0) throw new UsageError(`--lines "${flags.lines}" is not a number`);
  const ids = server === undefined ? loggedServers(home) : [server];
  if (server !== undefined && !loggedServers(home).includes(server) && flags.follow !== true) {
    say(
      context,
      visible(`server "${server}" has written nothing; logs are kept by a service, in ${logFolder(home)}`),
    );
    return exitCodes.failed;
  }
  const show = ({ server: id, text }: Line): void =>
    print(context, visible(server === undefined ? `${id} ${text}` : text));
  const places = new Map<string, number>();
  const begun = ids.flatMap((id) => readFrom(home, id, places));
  // Lines begin with their time, so that those of many servers have one order.
  for (const line of begun.toSorted((a, b) => (a.text < b.text ? -1 : 1)).slice(-most || begun.length))
    show(line);
  const { signal } = context.interrupts;
  while (flags.follow === true && !signal.aborted) {
    await wait(betweenMs, signal);
    for (const id of server === undefined ? loggedServers(home) : [server])
      for (const line of readFrom(home, id, places)) show(line);
  }
  return context.interrupts.exitCode() ?? exitCodes.ok;
}

/** The whole lines that came since the last look; a file that has become shorter was rotated. */
function readFrom(home: string, id: string, places: Map<string, number>): Line[] {
  let file: number;
  try {
    file = openSync(logPath(home, id), "r");
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(file);
    const before = places.get(id) ?? 0;
    const from = size < before ? 0 : before;
    const bytes = Buffer.alloc(size - from);
    readSync(file, bytes, 0, bytes.length, from);
    const end = bytes.lastIndexOf(10) + 1;
    places.set(id, from + end);
    return bytes
      .subarray(0, end)
      .toString("utf8")
      .split("\n")
      .filter((text) => text !== "")
      .map((text) => ({ server: id, text }));
  } finally {
    closeSync(file);
  }
}
