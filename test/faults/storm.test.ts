import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerConfig, Supervisor } from "../../src/index.js";
import { seededRandom, watchInvariants } from "../../src/testing/index.js";
import { lives, running, servers } from "../support.js";
import { figure, full, percentile } from "./figures.js";

const size = full
  ? { servers: 50, inFlight: 64, calls: 200_000, killsEach: 4 }
  : { servers: 6, inFlight: 16, calls: 3_000, killsEach: 2 };

/** A server that is a tree: the server process, and a helper that holds its stdout. */
function tree(id: string): ServerConfig {
  return {
    id,
    command: "sh",
    args: [join(servers, "tiny.sh"), "300"],
    restart: "eager",
    limits: { inFlight: size.inFlight },
  };
}

describe("a storm of crashes", () => {
  it(`settles each call of ${size.servers} servers × ${size.inFlight} in flight exactly once`, async () => {
    const random = seededRandom(4);
    const ids = Array.from({ length: size.servers }, (_, at) => `s${at}`);
    const supervisor = await running(ids.map(tree));
    const watch = watchInvariants(supervisor.events$);
    const storm = new Storm(supervisor);
    const killing = kill(supervisor, storm, ids, random);

    // Every eighth caller asks for what never comes, so that calls are open whenever a server dies.
    await Promise.all(
      ids.flatMap((id) =>
        Array.from({ length: size.inFlight }, (_, at) => storm.caller(id, at % 8 === 0 ? "wait" : "echo")),
      ),
    );
    const kills = await killing;
    const perSecond = storm.calls / storm.seconds;
    const pids = supervisor.servers().flatMap((server) => server.pids);
    await supervisor.stop();

    expect(watch.finish()).toEqual([]);
    expect(storm.results).toBe(storm.calls);
    expect(storm.calls).toBeGreaterThanOrEqual(size.calls);
    expect(kills).toBe(size.servers * size.killsEach);
    expect(storm.settleMs.length).toBeGreaterThan(0);
    // On a busy machine only the order of magnitude can be promised; the full run tells the figure.
    expect(percentile(storm.settleMs, 0.99)).toBeLessThan(5_000);
    for (const pid of pids) expect(await lives(pid)).toBe(false);
    figure("storm: calls", storm.calls);
    figure("storm: kills", kills);
    figure("storm: calls open at a kill", storm.settleMs.length);
    figure(
      "storm: settled after a kill, p50 / p99 / most (ms)",
      [0.5, 0.99, 1].map((part) => percentile(storm.settleMs, part).toFixed(1)).join(" / "),
    );
    figure(
      "storm: settled after we knew of the end, p50 / p99 / most (ms)",
      [0.5, 0.99, 1].map((part) => percentile(storm.knownMs, part).toFixed(1)).join(" / "),
    );
    figure("storm: calls a second", Math.round(perSecond));
  }, 1_800_000);
});

/** Callers that never stop calling, and what became of the calls that were open at a kill. */
class Storm {
  calls = 0;
  results = 0;
  readonly settleMs: number[] = [];
  /** The same from the moment on in which we knew that the server was gone. */
  readonly knownMs: number[] = [];
  readonly #begunAt = performance.now();
  readonly #goneAt = new Map<string, number>();
  readonly #supervisor: Supervisor;
  readonly #killedAt = new Map<string, number>();
  #killsLeft = size.servers * size.killsEach;

  constructor(supervisor: Supervisor) {
    this.#supervisor = supervisor;
    supervisor.events$.subscribe((fact) => {
      if (fact.type === "mcp.disconnected") this.#goneAt.set(fact.id, performance.now());
    });
  }

  /** Since the first call. */
  get seconds(): number {
    return (performance.now() - this.#begunAt) / 1000;
  }

  get done(): boolean {
    return this.calls >= size.calls && this.#killsLeft === 0;
  }

  killed(id: string): void {
    this.#killedAt.set(id, performance.now());
    this.#killsLeft--;
  }

  async caller(id: string, tool: string): Promise<void> {
    while (!this.done) {
      this.calls++;
      const begun = performance.now();
      const result = await this.#supervisor.callTool(`mcp_${id}_${tool}`, {}, { timeout: "1s" });
      this.results++;
      const killedAt = this.#killedAt.get(id) ?? Infinity;
      if (!result.ok && result.failure.kind === "outcome-unknown" && begun < killedAt) {
        this.settleMs.push(performance.now() - killedAt);
        const goneAt = this.#goneAt.get(id) ?? 0;
        if (goneAt > killedAt) this.knownMs.push(performance.now() - goneAt);
      }
      if (!result.ok) await new Promise((rest) => setTimeout(rest, 20));
    }
  }
}

/** Kills the whole tree of a server that serves, drawn by lot, again and again. */
async function kill(
  supervisor: Supervisor,
  storm: Storm,
  ids: readonly string[],
  random: ReturnType<typeof seededRandom>,
): Promise<number> {
  const left = ids.flatMap((id) => Array.from({ length: size.killsEach }, () => id));
  let kills = 0;
  while (left.length > 0) {
    await new Promise((rest) => setTimeout(rest, random.below(full ? 150 : 60)));
    const at = random.below(left.length);
    const server = supervisor.server(left[at]!)!.status();
    const [leader] = server.pids;
    if (server.state !== "ready" || leader === undefined) continue;
    left.splice(at, 1);
    storm.killed(server.id);
    process.kill(-leader, "SIGKILL");
    kills++;
  }
  return kills;
}
