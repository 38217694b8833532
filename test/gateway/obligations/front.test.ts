import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { findService } from "../../../src/http/index.js";
import { eventually, lives, servers, temporaryFolder } from "../../support.js";
import { afterTest } from "../rig.js";
import type { Json } from "../rig.js";

const binary = resolve(import.meta.dirname, "../../../dist/cli/main.js");

/** A state folder with one server, in which the built command runs. */
function folder(): string {
  const home = temporaryFolder();
  const server = {
    id: "up",
    command: process.execPath,
    args: [join(servers, "scripted.mjs"), "--tools=echo,pid,wait"],
    auto_approve: ["*"],
  };
  writeFileSync(join(home, "settings.json"), JSON.stringify({ mcp: { servers: [server] } }), { mode: 0o600 });
  return home;
}

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [binary, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  afterTest(() => {
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    child.kill("SIGKILL");
    return new Promise<void>((done) => child.once("close", () => done()));
  });
  child.stderr?.resume();
  return child;
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((done) => child.once("close", () => done()));

async function service(home: string, port: number): Promise<ChildProcess> {
  const child = start(["up", "--http", "--home", home, "--port", String(port), "--json"]);
  child.stdout?.resume();
  await eventually(async () => (await findService(home))?.url !== undefined, "the service listens");
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** A host that speaks MCP over the pipes of a front. */
class Host {
  readonly child: ChildProcess;
  readonly messages: Json[] = [];
  readonly odd: string[] = [];
  /** What it said to people. */
  told = "";
  #count = 0;

  constructor(home: string, as: string) {
    this.child = start(["serve", "--stdio", "--as", as, "--home", home]);
    this.child.stderr?.on("data", (chunk: Buffer) => (this.told += chunk.toString()));
    createInterface({ input: this.child.stdout! }).on("line", (line) => {
      try {
        this.messages.push(JSON.parse(line) as Json);
      } catch {
        this.odd.push(line);
      }
    });
  }

  send(message: Json): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async ask(method: string, params: Json = {}): Promise<Json> {
    const id = ++this.#count;
    this.send({ id, method, params });
    return eventually(() => this.messages.find((each) => each["id"] === id), `the answer to ${method}`);
  }

  async open(): Promise<this> {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "host", version: "1" },
    };
    await this.ask("initialize", params);
    this.send({ method: "notifications/initialized" });
    await eventually(async () => (await this.ask("tools/list"))["result"].tools.length === 3, "the tools");
    return this;
  }

  call(name: string, args: Json = {}): Promise<Json> {
    return this.ask("tools/call", { name: `up__${name}`, arguments: args });
  }
}

/** The text of a result; of an error what it says, so that a failed test shows it. */
const textOf = (answer: Json) => String(answer["result"]?.content[0].text ?? JSON.stringify(answer["error"]));

describe("obligation 39: the stdio front", () => {
  it("39: two fronts join one service, share its process, and survive its restart", async () => {
    const home = folder();
    const port = await freePort();
    const first = await service(home, port);
    const hosts = await Promise.all(["a", "b"].map((as) => new Host(home, as).open()));
    const pids = await Promise.all(hosts.map(async (host) => textOf(await host.call("pid"))));
    expect(pids[0]).toBe(pids[1]);

    const cut = hosts[0]!.call("wait");
    // One after the other on its way: with this answer the server has the call before it.
    expect(textOf(await hosts[0]!.call("echo", { text: "order" }))).toBe("order");
    first.kill("SIGTERM");
    await ended(first);
    expect((await cut)["result"].isError).toBe(true);
    expect(textOf(await cut)).toMatch(/unknown|may have/i);
    await eventually(() => hosts[1]!.told.includes("is gone"), "the front has noticed");
    const waiting = hosts[1]!.call("echo", { text: "after" });
    await service(home, port);

    expect(textOf(await waiting)).toBe("after");
    for (const host of hosts) {
      expect(textOf(await host.call("echo", { text: "again" }))).toBe("again");
      expect(host.messages.some((each) => each["method"] === "notifications/tools/list_changed")).toBe(true);
      expect(host.odd).toEqual([]);
    }
  }, 90_000);

  it("39: without a service it runs the fleet itself, and the end of its input leaves no process", async () => {
    const host = await new Host(folder(), "a").open();
    const pid = Number(textOf(await host.call("pid")));
    expect(await lives(pid)).toBe(true);
    host.child.stdin?.end();
    const asked = Date.now();
    await ended(host.child);

    expect(Date.now() - asked).toBeLessThan(10_000);
    expect(host.child.exitCode).toBe(0);
    await eventually(async () => !(await lives(pid)), "the server is gone");
    expect(host.odd).toEqual([]);
  }, 60_000);

  it.each(["with a service", "without one"])(
    "39: a host that is killed in mid-call leaves nothing (%s)",
    async (how) => {
      const home = folder();
      if (how === "with a service") await service(home, await freePort());
      // The host in between holds the pipes, and dies without a word.
      const script = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ${JSON.stringify([binary, "serve", "--stdio", "--as", "a", "--home", home])});
      const say = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
      say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "h", version: "1" } } });
      let text = "";
      child.stdout.on("data", (chunk) => {
        text += chunk;
        if (text.includes('"id":1') && !text.includes('"id":2')) say({ id: 2, method: "tools/call", params: { name: "up__pid" } });
        if (text.includes('"id":2') && text.includes("content")) {
          say({ id: 3, method: "tools/call", params: { name: "up__wait" } });
          setTimeout(() => process.stdout.write(child.pid + " " + /"text":"(\\d+)"/.exec(text)[1] + "\\n"), 200);
        }
      });`;
      const host = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
      afterTest(() => void host.kill("SIGKILL"));
      let out = "";
      host.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
      await eventually(() => out.includes("\n"), "the call under way");
      const [front, server] = out.trim().split(" ").map(Number);
      host.kill("SIGKILL");

      await eventually(async () => !(await lives(front!)), "the front is gone");
      // The service goes on with its server; a fleet of the front's own ends with it.
      const goesOn = how === "with a service";
      await eventually(async () => (await lives(server!)) === goesOn, "the server is as it should be");
      const other = await new Host(home, "b").open();
      expect(Number(textOf(await other.call("pid"))) === server).toBe(goesOn);
    },
    90_000,
  );
});
