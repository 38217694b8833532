import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { labelledRun } from "../../src/process/containers/engine.js";
import { type CompiledRooms, compileRooms, startHost } from "./hostPrograms.js";
import {
  living,
  newToken,
  plainEnv,
  shapes,
  shortGraces,
  tempHome,
  testProcesses,
  until,
} from "./support.js";

const mark = `${"a".repeat(32)}.files.3`;
const labels = [
  "--label",
  `mcpvisor.run=${"a".repeat(32)}`,
  "--label",
  `mcpvisor.life=${mark}`,
  "--env",
  "MCPVISOR_RUN",
];

let rooms: CompiledRooms;
beforeAll(() => {
  rooms = compileRooms();
});
afterAll(() => rooms.remove());

/** The stand-in, installed under the name of a real client, and the pids of its containers. */
function installEngine() {
  const folder = tempHome();
  const program = join(folder, "docker");
  const state = join(folder, "containers");
  copyFileSync(resolve(import.meta.dirname, "../fixtures/processes/engine.sh"), program);
  chmodSync(program, 0o755);
  const pids = (): number[] =>
    (existsSync(state) ? readdirSync(state) : [])
      .filter((name) => name.endsWith(".pid"))
      .map((name) => Number(readFileSync(join(state, name), "utf8")));
  onTestFinished(() => {
    for (const pid of living(pids())) process.kill(pid, "SIGKILL");
  });
  return { program, pids };
}

describe("a command that runs a container", () => {
  it.each([
    ["docker", ["run", "-i", "--rm", "image"], ["run", ...labels, "-i", "--rm", "image"]],
    ["/usr/bin/podman", ["run", "image", "run"], ["run", ...labels, "image", "run"]],
    ["docker.exe", ["container", "run", "image"], ["container", "run", ...labels, "image"]],
    [
      "docker",
      ["--context", "run", "-D", "run", "image"],
      ["--context", "run", "-D", "run", ...labels, "image"],
    ],
    ["podman-remote", ["--url", "x", "run", "image"], ["--url", "x", "run", ...labels, "image"]],
    ["nerdctl", ["-n", "x", "run", "image"], ["-n", "x", "run", ...labels, "image"]],
  ])("%s %j gets labels of its run and life", (command, args, labelled) => {
    expect(labelledRun(command, args, mark)?.args).toEqual(labelled);
  });

  it.each([
    ["docker", ["exec", "-i", "box", "run"]],
    ["docker", ["compose", "run", "service"]],
    ["docker", []],
    ["node", ["run", "image"]],
  ])("is not seen in %s %j", (command, args) => {
    expect(labelledRun(command, args, mark)).toBeUndefined();
  });
});

describe("a container that outlives its client", () => {
  it("is ended with its server, and with no other one", async () => {
    const { program, pids } = installEngine();
    const processes = testProcesses();
    const start = async (server: string) => {
      const request = { server, generation: 1, command: program, args: ["run", "image"], env: plainEnv() };
      const child = await processes.spawn(request);
      await new Promise((ready) => child.stdout.once("data", ready));
      return child;
    };
    const one = await start("one");
    const [first] = pids();
    const two = await start("two");
    const [second] = pids().filter((pid) => pid !== first);

    const end = await one.stop(shortGraces);

    expect(end.survivors).toEqual([]);
    expect(living([first!, second!])).toEqual([second]);
    expect(pids()).toEqual([second]);
    await two.stop(shortGraces);
    expect(living([second!])).toEqual([]);
  });

  it("is left alone where containment is off", async () => {
    const { program, pids } = installEngine();
    const processes = testProcesses({ containment: "off" });
    const request = { server: "x", generation: 1, command: program, args: ["run", "image"], env: plainEnv() };
    const child = await processes.spawn(request);
    await new Promise((ready) => child.stdout.once("data", ready));

    await child.stop(shortGraces);

    expect(living(pids())).toHaveLength(1);
  });

  it("is ended by the watchdog when the host is killed", async () => {
    const { program, pids } = installEngine();
    const host = startHost(rooms, { home: tempHome(), shapes: [], token: newToken(), engine: program });
    await host.line();
    const started = pids();
    expect(living(started)).toHaveLength(1);

    host.process.kill("SIGKILL");
    await host.exit;

    await until("the container is gone", () => living(started).length === 0);
  });

  it("is ended by the next start when the watchdog was killed, too", async () => {
    const { program, pids } = installEngine();
    const home = tempHome();
    const host = startHost(rooms, {
      home,
      shapes: ["A"],
      token: newToken(),
      script: shapes,
      engine: program,
    });
    const { watchdog } = await host.line();
    process.kill(Number(watchdog), "SIGSTOP");
    host.process.kill("SIGKILL");
    await host.exit;
    process.kill(Number(watchdog), "SIGKILL");
    const started = pids();
    expect(living(started)).toHaveLength(1);

    await testProcesses({ home }).start();

    expect(living(started)).toEqual([]);
  });
});
