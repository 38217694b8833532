import { resolve } from "node:path";
import { loadFleet } from "../../config/index.js";
import { isServing } from "../../index.js";
import type { TransportSource } from "../../index.js";
import { chaos as around, watchInvariants } from "../../testing/index.js";
import type { WireFault } from "../../testing/index.js";
import { chaosLines } from "../chaos/report.js";
import type { ChaosReport } from "../chaos/report.js";
import { callWhatIsHarmless } from "../chaos/harmlessCalls.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { becomeReady, withFleet } from "../fleet/fleet.js";
import type { Fleet } from "../fleet/fleet.js";
import { homeOf } from "../context/home.js";
import { printFacts, showFleet } from "../screen/liveView.js";
import { durationMs } from "../context/options.js";
import type { FleetFlags } from "../context/options.js";
import { simulateSeeds } from "../chaos/simulateSeeds.js";
import { jsonText } from "../screen/visible.js";
import { wait, within } from "../context/wait.js";

export interface ChaosFlags extends FleetFlags {
  readonly seed?: string;
  readonly for?: string;
  /** Run so many seeds of the simulation instead of real servers. */
  readonly simulate?: string;
  /** Threads that share them. */
  readonly threads?: string;
}

/** How often each message of a server meets a fault; a busy server meets one every second or so. */
const chances: Readonly<Partial<Record<WireFault, number>>> = {
  "delay-answer": 0.05,
  "drop-answer": 0.02,
  "duplicate-answer": 0.03,
  "wrong-id": 0.01,
  "list-changed": 0.02,
  kill: 0.02,
  pause: 0.01,
  "drop-connection": 0.01,
};
/** 5 s and the longest back-off. */
const recoverWithinMs = 35_000;

/** Tortures the servers that are marked `chaos: true`, and says whether every promise was kept. */
export async function chaos(context: Context, flags: ChaosFlags): Promise<number> {
  const seed = wholeNumber("--seed", flags.seed ?? "1");
  if (flags.simulate !== undefined)
    return simulateSeeds(context, {
      first: seed,
      count: wholeNumber("--simulate", flags.simulate),
      json: flags.json === true,
      ...(flags.threads === undefined ? {} : { threads: wholeNumber("--threads", flags.threads) }),
    });
  const forMs = durationMs("--for", flags.for ?? "60s");
  const torture = new Torture(await markedServers(context, flags), seed);
  const extra = { transports: torture.transports, watch: false };
  return withFleet(context, { mode: "allow-reads", ...flags }, extra, (fleet) =>
    run(context, flags, fleet, torture, forMs),
  );
}

async function run(
  context: Context,
  flags: ChaosFlags,
  fleet: Fleet,
  torture: Torture,
  forMs: number,
): Promise<number> {
  const { supervisor } = fleet;
  const { signal } = context.interrupts;
  const watch = watchInvariants(supervisor.events$);
  const view = flags.json ? printFacts(context, supervisor) : showFleet(context, supervisor);
  const begun = performance.now();
  await becomeReady(fleet, flags);
  torture.active = true;
  const ends = within(forMs, signal);
  const calls = await callWhatIsHarmless(supervisor, torture.ids, ends);
  torture.active = false;
  const lastFaultAt = Date.now();
  const after = await recovered(fleet, torture.ids, signal);
  watch.checkRecovery(signal.aborted ? {} : { healthy: torture.ids, lastFaultAt, recoverWithinMs });
  const stop = await fleet.stop();
  view.close();
  const violations = watch.finish({ left: { processes: stop.survivors.length } });
  const report: ChaosReport = {
    ok: violations.length === 0,
    seed: torture.seed,
    ms: Math.round(performance.now() - begun),
    calls,
    servers: after.map((server) => ({ ...server, faults: torture.met(server.id) })),
    violations,
  };
  print(
    context,
    flags.json ? jsonText({ type: "mcpvisor.chaos", ...report }) : chaosLines(report).join("\n"),
  );
  return report.ok ? exitCodes.ok : exitCodes.failed;
}

/** Waits until every tortured server serves again; those at rest are connected, as a call would do. */
async function recovered({ supervisor }: Fleet, ids: readonly string[], signal: AbortSignal) {
  const limit = within(recoverWithinMs, signal);
  const down = () => supervisor.servers().filter(({ id, state }) => ids.includes(id) && !isServing(state));
  while (down().length > 0 && !limit.aborted) {
    for (const { id, state } of down())
      if (state === "idle" || state === "parked") void supervisor.server(id)?.connect();
    await wait(250, limit);
  }
  return supervisor
    .servers()
    .filter(({ id }) => ids.includes(id))
    .map(({ id, state, generation }) => ({ id, state, lives: generation }));
}

/** The faults of one run, and how often each has struck. */
class Torture {
  active = false;
  readonly ids: readonly string[];
  readonly seed: number;
  readonly transports: Readonly<Record<string, TransportSource>>;
  readonly #met = new Map<string, Record<string, number>>();

  constructor(ids: readonly string[], seed: number) {
    this.ids = ids;
    this.seed = seed;
    this.transports = Object.fromEntries(ids.map((id, at) => [id, this.#source(id, seed + at)]));
  }

  met(id: string): Readonly<Record<string, number>> {
    return this.#met.get(id) ?? {};
  }

  #source(id: string, seed: number): TransportSource {
    const met: Record<string, number> = {};
    this.#met.set(id, met);
    return around(undefined, {
      seed,
      chance: chances,
      active: () => this.active,
      onFault: (fault) => {
        met[fault] = (met[fault] ?? 0) + 1;
      },
    });
  }
}

async function markedServers(context: Context, flags: ChaosFlags): Promise<readonly string[]> {
  const files = flags.config ?? [];
  const { specs } = await loadFleet({
    home: homeOf(context, flags),
    workspace: resolve(flags.workspace ?? "."),
    ...(files.length > 0 ? { configFiles: files.map((file) => resolve(file)) } : { discover: true }),
  });
  const marked = specs.filter((spec) => spec.chaos && spec.enabled).map(({ id }) => id);
  if (marked.length === 0)
    throw new UsageError(
      'no server is marked for torture: write "chaos": true into the entry of each that may suffer',
    );
  say(context, `only ${marked.join(", ")} will suffer; other servers are left alone`);
  return marked;
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${flag} "${text}" is not a whole number`);
  return Number(text);
}
