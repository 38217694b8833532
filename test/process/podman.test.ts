import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { figure, full, spread } from "../faults/figures.js";
import { createLinux } from "../../src/process/platform/linux.js";
import type { Processes } from "../../src/process/processes.js";
import { type CompiledRooms, compileRooms, startHost } from "./hostPrograms.js";
import { installPodman, type Podman, type Resident, stillThere } from "./podman.js";
import { shortGraces, tempHome, testProcesses, until } from "./support.js";

const found = installPodman();
if (typeof found === "string") process.stderr.write(`podman part skipped: ${found}\n`);
const rounds = full ? 20 : 2;
const kinds = ["polite", "deaf"] as const;
/** Of the graces and what an engine gets at least; podman itself would take ten seconds. */
const limitMs = 8000;
/** What an engine does that hangs with everything but `run`. */
const hang = 'case " $* " in *" run "*) ;; *) exec sleep 600 ;; esac';
/** A container whose environment cannot be read: only its engine and its control group tell of it. */
const unmarked = `n=$#
while [ $n -gt 0 ]; do
  if [ "$1 $2" = "--env MCPVISOR_RUN" ]; then shift 2; n=$((n - 2)); else set -- "$@" "$1"; shift; n=$((n - 1)); fi
done`;

describe.skipIf(typeof found === "string")("podman", () => {
  const podman = found as Podman;
  let rooms: CompiledRooms;
  beforeAll(() => {
    rooms = compileRooms();
  });
  afterAll(() => {
    rooms.remove();
    podman.remove();
  });

  /** A ready server in a container, and the processes of that by podman's own word. */
  async function start(processes: Processes, command: string, args: readonly string[]) {
    const child = await processes.spawn({ server: "x", generation: 1, command, args, env: podman.env });
    await new Promise((ready) => child.stdout.once("data", ready));
    const residents = podman.inspect();
    expect(residents).toHaveLength(2);
    return { child, residents };
  }

  const plain = (kind: (typeof kinds)[number]): string[] => [...podman.globals, ...podman.server(kind)];

  /** What is still there of a container, its conmon and podman's records when it had time to go. */
  async function left(residents: readonly Resident[] = []): Promise<readonly unknown[]> {
    const now = () => [...stillThere(residents), ...podman.list(), ...podman.processes()];
    await until("nothing is left", () => now().length === 0).catch(() => {});
    return now();
  }

  async function stopRounds(name: string, command: string, args: readonly string[]): Promise<number> {
    const ms: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { child, residents } = await start(testProcesses(), command, args);
      const end = await child.stop(shortGraces);
      expect(end.survivors).toEqual([]);
      ms.push(end.ms);
      expect(await left(residents)).toEqual([]);
    }
    figure(`podman, ${name}, ${rounds} times: left; ms p50 / most`, `0; ${spread(ms)}`);
    return Math.max(...ms);
  }

  it.each(kinds)(
    "a %s server is gone with its stop",
    async (kind) => {
      expect(await stopRounds(`stop of a ${kind} server`, podman.program, plain(kind))).toBeLessThan(limitMs);
    },
    300_000,
  );

  it("so is one whose environment cannot be read", async () => {
    const command = podman.wrapper("podman", unmarked);
    expect(await stopRounds("stop of an unmarked server", command, podman.server("deaf"))).toBeLessThan(
      limitMs,
    );
  }, 300_000);

  it("so is one behind a wrapper with options in front of run", async () => {
    const command = podman.wrapper("podman-remote", "");
    const args = ["--log-level", "error", ...podman.server("deaf")];
    expect(await stopRounds("stop behind a wrapper", command, args)).toBeLessThan(limitMs);
  }, 300_000);

  it("so is one whose engine hangs with everything but run", async () => {
    expect(
      await stopRounds("engine that hangs", podman.wrapper("podman", hang), podman.server("deaf")),
    ).toBeLessThan(limitMs);
  }, 300_000);

  it("a container is ended when its client was killed", async () => {
    for (let round = 0; round < rounds; round++) {
      const { child, residents } = await start(testProcesses(), podman.program, plain("deaf"));
      process.kill(child.pid, "SIGKILL");
      await child.exit;
      expect((await child.stop(shortGraces)).survivors).toEqual([]);
      expect(await left(residents)).toEqual([]);
    }
    figure(`podman, client killed ${rounds} times: left`, 0);
  }, 300_000);

  it("a container that cannot be ended is told as a survivor", async () => {
    const linux = createLinux();
    const platform = { ...linux, signal: () => false };
    const refuse = `${unmarked}\ncase " $* " in *" kill "*|*" rm "*) exit 1 ;; esac`;
    const processes = testProcesses({ platform });
    const command = podman.wrapper("podman", refuse);
    const { child, residents } = await start(processes, command, podman.server("deaf"));

    const end = await child.stop({ eofMs: 100, termMs: 100, killMs: 100 });

    expect(end.survivors).toEqual(expect.arrayContaining(residents.map(({ pid }) => pid)));
    linux.signal(residents[0]?.pid ?? 0, "SIGKILL");
    expect(await left(residents)).toEqual([]);
  });

  it.each([
    ["SIGKILL", "podman"],
    ["SIGTERM", "podman"],
    ["SIGKILL", "unmarked"],
  ] as const)(
    "nothing is left after %s of the host (%s)",
    async (signal, how) => {
      for (let round = 0; round < rounds; round++) {
        const engine = how === "podman" ? podman.program : podman.wrapper("podman", unmarked);
        const engineArgs = how === "podman" ? plain("deaf") : podman.server("deaf");
        const home = tempHome();
        const host = startHost(rooms, { home, shapes: [], engine, engineArgs, env: podman.env });
        await host.line();
        const residents = podman.inspect();

        host.process.kill(signal);

        await host.exit;
        expect(await left(residents)).toEqual([]);
      }
      figure(`podman, ${signal} of the host (${how}), ${rounds} times: left`, 0);
    },
    600_000,
  );

  it("nothing is left by a host that is killed while its container begins", async () => {
    for (let round = 0; round < rounds; round++) {
      const plan = { home: tempHome(), shapes: [], engine: podman.program, env: podman.env };
      const host = startHost(rooms, { ...plan, engineArgs: plain("deaf"), waitReady: false });
      const { watchdog } = await host.line();
      // Somewhere between the first words of the client and a server that is ready.
      await new Promise((later) => setTimeout(later, (round * 400) / rounds));

      host.process.kill("SIGKILL");

      await host.exit;
      await until("the watchdog is done", () => createLinux().look(Number(watchdog)) === undefined, 60_000);
      expect(await left()).toEqual([]);
    }
    figure(`podman, host killed ${rounds} times while a container begins: left`, 0);
  }, 600_000);

  it("the next start ends what a killed watchdog has left", async () => {
    for (let round = 0; round < rounds; round++) {
      const home = tempHome();
      const plan = { home, shapes: [], engine: podman.program, engineArgs: plain("deaf"), env: podman.env };
      const host = startHost(rooms, plan);
      const { watchdog } = await host.line();
      const residents = podman.inspect();
      process.kill(Number(watchdog), "SIGSTOP");
      host.process.kill("SIGKILL");
      await host.exit;
      process.kill(Number(watchdog), "SIGKILL");
      onTestFinished(() => residents.forEach(({ pid }) => void createLinux().signal(pid, "SIGKILL")));

      const report = await testProcesses({ home }).start();

      expect(report.survivors).toEqual([]);
      expect(await left(residents)).toEqual([]);
    }
    figure(`podman, host and watchdog killed ${rounds} times: left`, 0);
  }, 600_000);
});
