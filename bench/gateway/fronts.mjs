// Starts what is measured, each in a process of its own, and reads what that process uses.
import { fork, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const here = import.meta.dirname;
const upstream = join(here, "../servers/stdio.mjs");
const peers = join(here, "../peers/node_modules");
const tickMs = 10;

/** Others that put HTTP before a stdio server; there when `bench/peers` is installed. */
const commands = {
  "mcp-proxy": (port) => [
    "mcp-proxy/dist/bin/mcp-proxy.mjs",
    "--port",
    port,
    "--host",
    "127.0.0.1",
    "--server",
    "stream",
    "--",
    process.execPath,
    upstream,
  ],
  supergateway: (port) => [
    "supergateway/dist/index.js",
    "--stdio",
    `${process.execPath} ${upstream}`,
    "--outputTransport",
    "streamableHttp",
    "--stateful",
    "--port",
    port,
    "--logLevel",
    "none",
  ],
};

export const names = [
  "bare",
  "gateway",
  "sdk",
  ...Object.keys(commands).filter((name) => existsSync(join(peers, name))),
];

export async function startFront(name, nodeFlags = []) {
  if (commands[name] !== undefined) return startCommand(name);
  const child = fork(join(here, `../fronts/${name}.mjs`), {
    execArgv: nodeFlags,
    stdio: ["ignore", "ignore", process.env.BENCH_DEBUG === undefined ? "ignore" : "inherit", "ipc"],
  });
  const told = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", () => reject(new Error(`${name} did not start`)));
  });
  return {
    name,
    tool: "echo",
    ...told,
    pid: child.pid,
    child,
    stop: () => ended(child, () => child.disconnect()),
  };
}

async function startCommand(name) {
  const port = String(await freePort());
  const [file, ...args] = commands[name](port);
  const child = spawn(process.execPath, [join(peers, file), ...args], { stdio: "ignore", detached: true });
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let at = 0; ; at++) {
    const up = await fetch(url).then(
      () => true,
      () => false,
    );
    if (up) break;
    if (at > 200) throw new Error(`${name} did not start`);
    await new Promise((done) => setTimeout(done, 100));
  }
  // It and the servers that it has started are a group of their own.
  return {
    name,
    url,
    tool: "echo",
    pid: child.pid,
    stop: () => ended(child, () => process.kill(0 - (child.pid ?? 0), "SIGKILL")),
  };
}

function ended(child, end) {
  const over = new Promise((done) => child.once("exit", done));
  end();
  return over;
}

export async function freePort() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** CPU of one process so far, in milliseconds (Linux). */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Memory that goes with a process, shared pages by their share, in MB. */
export function memoryOf(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** A process and all that it has started. */
export function treeOf(pid) {
  const parents = new Map();
  for (const each of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = Number(
        readFileSync(`/proc/${each}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ")[1],
      );
      parents.set(Number(each), parent);
    } catch {
      // It has ended while we looked.
    }
  }
  const all = [pid];
  for (const each of all) for (const [child, parent] of parents) if (parent === each) all.push(child);
  return all;
}
