import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export const stdioServer = here("../servers/stdio.mjs");

/** Loads the adapter of a client by name: one of ours, or one of bench/peers. */
export async function adapterOf(name) {
  const own = ["floor", "mcpvisor", "sdk"].includes(name);
  return import(own ? `../clients/${name}.mjs` : `../peers/adapters/${name}.mjs`);
}

/** Connects a client to a fast server of its own (`stdio`), or to one HTTP server (`json`, `sse`). */
export async function connect(name, kind, { port, env, limits } = {}) {
  const { connect: open } = await adapterOf(name);
  return open(
    kind === "stdio"
      ? { kind, command: process.execPath, args: [stdioServer], env, limits }
      : { kind, url: `http://127.0.0.1:${port}/${kind}`, limits },
  );
}

/** Starts the HTTP server; it ends with the returned function, or with this process. */
export async function startHttp(env = {}) {
  const child = spawn(process.execPath, [here("../servers/http.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const [line] = await once(child.stdout, "data");
  return { port: Number(line.toString()), stop: () => child.stdin.end() };
}

export function parameters() {
  return JSON.parse(process.argv[2] ?? "{}");
}

/** The last line of a measure's output is its result. */
export function report(result) {
  process.stdout.write(`\n${JSON.stringify(result)}\n`);
}
