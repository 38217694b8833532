import { rmSync } from "node:fs";
import { realClock } from "../../clock.js";
import { readEngineWord } from "../containers/engine.js";
import { endRun } from "./orphans.js";
import { currentPlatform } from "../platform/current.js";
import { createSweeper } from "../tree/sweep.js";

/**
 * What the watchdog becomes when the host is dead: the same code that a stop and the reaper run. Arguments: run id, start
 * of the host, ledger file, folder of control groups, container engines (`engineWord`); stdin: `pid start pipe,pipe` of each
 * child. Exit code 0 when nothing is left, 3 when something could not be ended; anything else means that it did not come
 * so far.
 */
async function main(): Promise<number> {
  const [run = "", since = "", ledger = "", cgroups = "", ...engines] = process.argv.slice(2);
  const rows = (await readInput()).split("\n").flatMap((line) => {
    const [pid, start, pipes = ""] = line.trim().split(" ");
    return start === undefined ? [] : [{ pid: Number(pid), start, pipes: pipes.split(",") }];
  });
  const platform = currentPlatform();
  const tools = { platform, clock: realClock, sweeper: createSweeper(platform) };
  const { survivors, isCertain } = await endRun(
    {
      run,
      since,
      roots: rows.map(({ pid, start }) => ({ pid, start })),
      pipes: rows.flatMap(({ pipes }) => pipes).filter((pipe) => pipe !== ""),
      cgroups: cgroups === "" ? undefined : cgroups,
      engines: engines.map(readEngineWord),
    },
    tools,
    true,
  );
  if (survivors.length > 0 || !isCertain) return 3;
  if (ledger !== "") rmSync(ledger, { force: true });
  return 0;
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

process.exitCode = await main();
