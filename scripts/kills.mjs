// npm run kills [-- MINUTES]: sixteen real servers, each killed at random about once a minute while calls go to all of them,
// and what became of the calls. Needs a build. MINUTES: 5.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createSupervisor } from "../dist/index.js";

const root = resolve(import.meta.dirname, "..");
const minutes = Number(process.argv[2] ?? 5);
const servers = 16;
const everyMs = 60_000;
/** Between two calls to one server. */
const paceMs = 100;

const home = mkdtempSync(join(tmpdir(), "mcpvisor-kills-"));
const program = join(root, "bench/servers/stdio.mjs");
const ids = Array.from({ length: servers }, (_, at) => `s${at + 1}`);
const supervisor = createSupervisor({
  servers: ids.map((id) => ({ id, command: process.execPath, args: [program], timeout: "30s" })),
  mode: "allow-trusted",
  home,
});
const ends = new Map();
let calls = 0;
let kills = 0;
let slowestMs = 0;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const wait = () => -Math.log(1 - Math.random()) * everyMs;

async function callAgainAndAgain(id, until) {
  while (Date.now() < until) {
    const from = performance.now();
    const result = await supervisor.callTool(`mcp_${id}_echo`, { text: "x" });
    slowestMs = Math.max(slowestMs, performance.now() - from);
    calls++;
    const kind = result.ok ? "ok" : result.failure.kind;
    ends.set(kind, (ends.get(kind) ?? 0) + 1);
    await pause(paceMs);
  }
}

async function killNowAndThen(id, until) {
  for (let at = Date.now() + wait(); at < until; at = Date.now() + wait()) {
    await pause(at - Date.now());
    const [pid] = supervisor.server(id).status().pids;
    if (pid === undefined) continue;
    process.kill(pid, "SIGKILL");
    kills++;
  }
}

try {
  await supervisor.start();
  await supervisor.ready({ timeout: "60s" });
  const until = Date.now() + minutes * 60_000;
  const told = setInterval(
    () => console.log(`${Math.ceil((until - Date.now()) / 1000)} s left: ${calls} calls, ${kills} kills`),
    30_000,
  );
  await Promise.all(ids.flatMap((id) => [callAgainAndAgain(id, until), killNowAndThen(id, until)]));
  clearInterval(told);
} finally {
  await supervisor.stop();
  rmSync(home, { recursive: true, force: true });
}
const share = (kind) => `${((100 * (ends.get(kind) ?? 0)) / calls).toFixed(2)} %`;
console.log(
  `${servers} servers, ${minutes} min: ${calls} calls, ${kills} kills, slowest ${slowestMs.toFixed(0)} ms`,
);
for (const kind of [...ends.keys()].toSorted((a, b) => a.localeCompare(b)))
  console.log(`${kind.padEnd(16)} ${String(ends.get(kind)).padStart(6)}  ${share(kind)}`);
// Right: a server that needs a third of a second to come back is hardly ever "unavailable".
process.exitCode = (ends.get("unavailable") ?? 0) / calls < 0.005 ? 0 : 1;
