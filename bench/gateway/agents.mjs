// Processes and memory of four agents with six servers: each agent on its own, and all of them through one service.
// `node bench/gateway/agents.mjs [--write]` prints a table; --write draws docs/gateway-memory.svg. Linux; needs dist.
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { draw } from "./bars.mjs";
import { freePort, memoryOf, treeOf } from "./fronts.mjs";

const agents = 4;
const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "mcpvisor-agents-"));
const main = join(import.meta.dirname, "../../dist/cli/main.js");
const binary = (name) => {
  const file = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return join(dirname(file), Object.values(require(file).bin)[0]);
};
for (const name of ["a", "b"]) mkdirSync(join(folder, name));
const servers = {
  everything: [binary("everything"), "stdio"],
  files: [binary("filesystem"), join(folder, "a")],
  notes: [binary("filesystem"), join(folder, "b")],
  memory: [binary("memory")],
  thinking: [binary("sequential-thinking")],
  planning: [binary("sequential-thinking")],
};
const children = [];

/** Starts a server or a front as an agent does, and lists its tools. */
async function agent(args) {
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, MEMORY_FILE_PATH: join(folder, "memory.json") },
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const ask = (id, method, params) =>
    new Promise((resolve) => {
      lines.on("line", (line) => JSON.parse(line).id === id && resolve(JSON.parse(line)));
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await ask(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "agent", version: "1" },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask(2, "tools/list", {});
  return child.pid;
}

async function weigh(pids) {
  await new Promise((done) => setTimeout(done, 3000));
  const all = new Set(pids.flatMap(treeOf));
  const mb = [...all].reduce((sum, pid) => sum + memoryOf(pid), 0);
  return { processes: all.size, mb: Math.round(mb) };
}

async function endAll() {
  const over = children.splice(0).map(
    (child) =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done();
        child.once("exit", done);
        child.kill();
      }),
  );
  await Promise.all(over);
}

try {
  const alone = [];
  for (let at = 0; at < agents; at++)
    for (const args of Object.values(servers)) alone.push(await agent(args));
  const own = await weigh(alone);
  await endAll();

  const home = join(folder, "home");
  mkdirSync(home);
  const entries = Object.entries(servers).map(([id, args]) => ({
    id,
    command: process.execPath,
    args,
    ...(id === "memory" ? { env: { MEMORY_FILE_PATH: join(folder, "memory.json") } } : {}),
  }));
  writeFileSync(join(home, "settings.json"), JSON.stringify({ mcp: { servers: entries } }), { mode: 0o600 });
  const port = await freePort();
  const service = spawn(
    process.execPath,
    [main, "up", "--http", "--port", String(port), "--home", home, "--json"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  children.push(service);
  const told = createInterface({ input: service.stdout });
  await new Promise((ready) => told.once("line", ready));
  told.on("line", () => undefined);
  const fronts = [];
  for (let at = 0; at < agents; at++)
    fronts.push(await agent([main, "serve", "--stdio", "--as", `agent${at}`, "--home", home]));
  const stdio = await weigh([service.pid, ...fronts]);
  // Over HTTP an agent starts nothing at all.
  for (const child of children.splice(1)) {
    child.kill();
    await new Promise((done) => child.once("exit", done));
  }
  const http = await weigh([service.pid]);
  await endAll();
  const rows = {
    "each agent on its own": own,
    "through mcpvisor, stdio": stdio,
    "through mcpvisor, HTTP": http,
  };
  console.log("| four agents, six servers | processes | memory, MB |\n| --- | ---: | ---: |");
  for (const [name, { processes, mb }] of Object.entries(rows))
    console.log(`| ${name} | ${processes} | ${mb} |`);
  if (process.argv.includes("--write"))
    writeFileSync(
      join(import.meta.dirname, "../../docs/gateway-memory.svg"),
      draw(
        "Memory of four agents with six servers, MB",
        Object.entries(rows).map(([name, { mb, processes }]) => [`${name} (${processes} processes)`, mb]),
      ),
    );
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
