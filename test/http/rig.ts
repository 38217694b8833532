import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readFile } from "node:fs/promises";
import { serve, tokenPath, type ServeOptions, type Service } from "../../src/http/index.js";
import { fakeSupervisor, type FakeSupervisor } from "./fakeSupervisor.js";

export interface Rig {
  readonly fake: FakeSupervisor;
  readonly service: Service;
  readonly home: string;
  readonly token: string;
  readonly port: number;
  /** fetch with the token; `body` is sent as JSON. */
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/** A running service around a fake supervisor; everything ends with the test. */
export async function rig(options: Partial<ServeOptions> = {}): Promise<Rig> {
  const home = await tempFolder();
  const fake = fakeSupervisor();
  const service = await serve(fake, { home, dashboard: false, ...options });
  onTestFinished(() => service.close());
  const token = (await readFile(tokenPath(home), "utf8")).trim();
  return {
    fake,
    service,
    home,
    token,
    port: service.port ?? 0,
    ask: (method, path, body, headers = {}) =>
      fetch(`${service.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(method === "GET" ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mcpvisor-http-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Sends bytes as they are and gives back what came until the other side closed (or the deadline). */
export async function raw(port: number, text: string | Buffer, deadlineMs = 20_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1");
    let answer = "";
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`not closed within ${deadlineMs} ms; so far: ${answer.slice(0, 200)}`));
    }, deadlineMs);
    socket.on("connect", () => socket.write(text));
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    // A reset after the answer is fine: we kept sending to somebody who had said all.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}

/** Polls until it holds. */
export async function until(condition: () => boolean | Promise<boolean>, deadlineMs = 20_000): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`does not hold after ${deadlineMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
