import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { TransportSource } from "../../../src/index.js";
import { ConnectError } from "../../../src/inner.js";
import { eventually, running, scripted, supervise, temporaryFolder } from "../../support.js";
import { expectReached, withFake } from "../fixture.js";
import type { Row } from "../matrix.js";

export const spawnRows: readonly Row[] = [
  {
    row: 1,
    fault: "the command does not exist",
    outcome: "command-not-found, parked, not tried again",
    async run() {
      await parksAtOnce({ command: "/nonexistent/command" }, "command-not-found");
    },
  },
  {
    row: 2,
    fault: "the command is not executable",
    outcome: "command-not-executable, parked, not tried again",
    async run() {
      const file = join(temporaryFolder(), "server");
      writeFileSync(file, "#!/bin/sh\n");
      chmodSync(file, 0o644);
      await parksAtOnce({ command: file }, "command-not-executable");
    },
  },
  {
    row: 3,
    fault: "the working directory does not exist",
    outcome: "cwd-missing, and the message names it",
    async run() {
      const message = await parksAtOnce({ command: "sh", cwd: "/nonexistent/place" }, "cwd-missing");
      expect(message).toContain("/nonexistent/place");
    },
  },
  {
    row: 4,
    fault: "arguments that no process can be started with",
    outcome: "spawn-invalid, and the message names the field",
    elsewhere: [{ file: "test/transport/stdio.test.ts", test: "names args that are too long or hold a NUL" }],
  },
  {
    row: 5,
    fault: "the system is out of processes or descriptors",
    outcome: "tried again after a wait; other servers do not notice",
    async run() {
      let attempts = 0;
      const exhausted: TransportSource = (request) => {
        attempts++;
        if (attempts > 2) return request.own();
        throw new ConnectError({ kind: "spawn-exhausted", message: "no process is left (EAGAIN)" });
      };
      const supervisor = await running([scripted("one", "scripted.mjs"), scripted("two", "scripted.mjs")], {
        transports: { one: exhausted },
      });
      await eventually(() => supervisor.server("one")!.status().state === "ready", "one is ready");
      expect(attempts).toBe(3);
      expect(supervisor.server("two")!.status()).toMatchObject({ state: "ready", generation: 1 });
    },
  },
  {
    row: 6,
    fault: "it ends with exit code 0 before it is ready",
    outcome: "exited-before-ready, with the last lines of stderr",
    async run() {
      const supervisor = supervise([
        { id: "x", command: "sh", args: ["-c", "echo good bye >&2"], restart: "never" },
      ]);
      await supervisor.ready({ timeout: "20s" });
      expect(supervisor.servers()[0]!.lastError).toMatchObject({
        kind: "exited-before-ready",
        exitCode: 0,
        stderrTail: ["good bye"],
      });
    },
  },
  {
    row: 7,
    fault: "it ends at once, again and again",
    outcome:
      "tried again with waits that grow to 30 s; parked after five failures that need longer than 10 s each",
    elsewhere: [
      {
        file: "test/cases/restarts.test.ts",
        test: "C007 tries a server that ends at once again with growing waits, and leaves the others alone",
      },
      {
        file: "test/policy/restart.test.ts",
        test: "count slow tries, too: five of 45 s each are five, whatever the time between",
      },
    ],
  },
  {
    row: 8,
    fault: "somebody else kills it with SIGKILL",
    outcome: "killed, with a hint at memory",
    async run() {
      const supervisor = await running([scripted("x", "scripted.mjs")]);
      process.kill(supervisor.servers()[0]!.pids[0]!, "SIGKILL");
      const error = await eventually(() => supervisor.servers()[0]!.lastError, "an error");
      expect(error).toMatchObject({ kind: "killed", signal: "SIGKILL" });
      expect(error.message).toContain("memory");
    },
  },
  {
    row: 9,
    fault: "a banner on stdout before the first message",
    outcome: "skipped and told once",
    async run() {
      const fixture = await withFake({
        over: "stdio",
        faults: [{ fault: "noise", on: "initialize", text: "=== my server ===\nv1.2\n" }],
      });
      expectReached(fixture, "noise");
      expect(fixture.status().state).toBe("ready");
      expect(fixture.status().warnings.filter((each) => each.includes("=== my server ==="))).toHaveLength(1);
    },
  },
  {
    row: 10,
    fault: "it asks for a password on the terminal",
    outcome: "there is none: it fails and does not hang",
    async run() {
      const script = "exec 3</dev/tty || { echo no terminal >&2; exit 7; }; read secret <&3";
      const supervisor = supervise([{ id: "x", command: "sh", args: ["-c", script], restart: "never" }]);
      await supervisor.ready({ timeout: "20s" });
      expect(supervisor.servers()[0]!.lastError).toMatchObject({ kind: "exited-before-ready" });
      expect(supervisor.servers()[0]!.lastError!.stderrTail!.join()).toContain("/dev/tty");
    },
  },
  {
    row: 11,
    fault: "a slow start",
    outcome: "waited for with one process, up to its limit",
    elsewhere: [
      { file: "test/cases/restarts.test.ts", test: "C010 waits for a slow start with one process" },
      { file: "test/cases/restarts.test.ts", test: "C010 ends one that is too slow before it tries again" },
    ],
  },
  {
    row: 12,
    fault: "stop while it starts",
    outcome: "dead, and no orphan",
    elsewhere: [
      {
        file: "test/cases/processes.test.ts",
        test: "C006 ends a start that is under way, and what waits for it",
      },
    ],
  },
  {
    row: 13,
    fault: "stop before the spawn has returned",
    outcome: "dead, and no orphan",
    elsewhere: [
      {
        file: "test/transport/stdio.test.ts",
        test: "leaves nothing behind when it is closed while it starts",
      },
    ],
  },
];

/** One attempt, parked with this cause; returns the message. */
async function parksAtOnce(target: { command: string; cwd?: string }, kind: string): Promise<string> {
  const supervisor = supervise([{ id: "x", restart: "eager", ...target }]);
  await supervisor.ready({ timeout: "20s" });
  const [status] = supervisor.servers();
  expect(status).toMatchObject({ state: "parked", generation: 1, lastError: { kind } });
  return status!.lastError!.message;
}
