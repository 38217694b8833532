import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../src/index.js";
import { eventually, lives, scripted, supervise } from "../support.js";

const fleet = Array.from({ length: 50 }, (_, n) => `s${n}`);
const callsEach = 64;

/** What this process holds of the system. */
function holdings(): {
  files: number;
  children: string[];
  listeners: Record<string, number>;
  timers: number;
} {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim();
  const events = [
    "SIGINT",
    "SIGTERM",
    "SIGHUP",
    "exit",
    "uncaughtException",
    "unhandledRejection",
    "warning",
  ];
  return {
    files: readdirSync("/proc/self/fd").length,
    children: children === "" ? [] : children.split(" "),
    listeners: Object.fromEntries(events.map((event) => [event, process.listenerCount(event)])),
    timers: process.getActiveResourcesInfo().filter((each) => /Timeout|Pipe|Process|TCP/.test(each)).length,
  };
}

describe("a storm over the whole fleet", () => {
  it("settles every call once, brings every server back and leaves nothing", {
    timeout: 240_000,
  }, async () => {
    const before = holdings();
    const warnings: unknown[] = [];
    const warned = (warning: unknown): void => void warnings.push(warning);
    process.on("warning", warned);
    const supervisor = supervise(
      fleet.map((id) =>
        scripted(id, "diesInCall.mjs", [], { shutdown: { eof: "500ms" }, connectTimeout: 120 }),
      ),
      { parallelStarts: 8, handleSignals: true },
    );
    const settled = new Map<string, number>();
    const subscription = supervisor.events$.subscribe((fact) => {
      if (fact.type === "mcp.call.settled") settled.set(fact.call, (settled.get(fact.call) ?? 0) + 1);
    });
    expect(await supervisor.ready({ timeout: "120s" })).toMatchObject({ ok: true });

    const results: ToolResult[] = [];
    const calls = fleet.flatMap((id) =>
      Array.from({ length: callsEach }, async () => {
        results.push(await supervisor.callTool(`mcp_${id}_wait`, {}, { timeout: "120s" }));
      }),
    );
    await eventually(
      () => supervisor.servers().every((server) => server.inFlight === 16),
      "that all are busy",
    );
    const pids = supervisor.servers().map((server) => server.pids[0]!);
    expect(new Set(pids).size).toBe(50);
    for (const pid of pids) process.kill(pid, "SIGKILL");

    // What was queued goes to the next life of each server, which never answers: it is killed as well, until none waits.
    const killer = setInterval(() => {
      for (const {
        pids: [pid],
        inFlight,
      } of supervisor.servers()) {
        if (pid !== undefined && inFlight > 0) process.kill(pid, "SIGKILL");
      }
    }, 50);
    await Promise.all(calls);
    clearInterval(killer);

    expect(results).toHaveLength(50 * callsEach);
    expect(results.filter((result) => result.ok)).toEqual([]);
    const kinds = new Set(results.map((result) => !result.ok && result.failure.kind));
    expect(kinds.has("outcome-unknown")).toBe(true);
    expect(kinds.has("timeout")).toBe(false);
    expect(new Set(results.map((result) => result.call.id)).size).toBe(50 * callsEach);
    expect(settled.size).toBe(50 * callsEach);
    expect([...settled.values()].every((times) => times === 1)).toBe(true);

    const answers = await Promise.all(
      fleet.map(async (id) => {
        await supervisor.server(id)!.connect();
        return supervisor.callTool(`mcp_${id}_pid`, {}, { timeout: "120s" });
      }),
    );
    expect(answers.filter((answer) => !answer.ok)).toEqual([]);
    for (const pid of pids) expect(await lives(pid)).toBe(false);

    const report = await supervisor.stop();
    subscription.unsubscribe();
    process.off("warning", warned);
    expect(report).toMatchObject({ survivors: [] });
    expect(warnings).toEqual([]);
    // Ends of processes and pipes are told a little later.
    await eventually(
      () => {
        const { files, children, timers } = holdings();
        return files <= before.files && timers <= before.timers && children.length <= before.children.length;
      },
      `that all is given back: ${JSON.stringify([before, holdings()])}`,
    );
    expect(holdings().listeners).toEqual(before.listeners);
  });
});
