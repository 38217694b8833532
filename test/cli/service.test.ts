import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { approve } from "../../src/cli/commands/approve.js";
import { call } from "../../src/cli/commands/call.js";
import { control } from "../../src/cli/commands/control.js";
import { events } from "../../src/cli/commands/events.js";
import { open } from "../../src/cli/commands/open.js";
import { servers } from "../../src/cli/commands/servers.js";
import { tools } from "../../src/cli/commands/tools.js";
import { up } from "../../src/cli/commands/up.js";
import { connectService, findService, serve } from "../../src/http/index.js";
import type { Service } from "../../src/http/index.js";
import { fakeContext, until } from "./support/fakeContext.js";
import { fakeSupervisor, server, tool } from "./support/fakeSupervisor.js";

let home: string;
let service: Service;
const fake = fakeSupervisor({
  servers: [server("files"), server("db", { state: "parked" })],
  tools: [tool("files", "list")],
  facts: [{ seq: 1, at: 0, type: "mcp.retired", id: "old" }],
});

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "mcpvisor-test-"));
  service = await serve(fake.supervisor, { home });
});

afterEach(async () => {
  await service.close();
  await rm(home, { recursive: true, force: true });
});

/** A context whose own supervisor must not be used. */
async function inHome() {
  const running = await findService(home);
  const client = running === undefined ? undefined : await connectService(home, running);
  return fakeContext(fakeSupervisor({}).supervisor, undefined, client);
}

describe("with a service in the state folder", () => {
  it("servers shows the service's servers, and ends with 1 when one is parked", async () => {
    const { context, stdout, opened } = await inHome();

    expect(await servers(context, { home, json: true })).toBe(1);

    expect(JSON.parse(stdout.text)).toMatchObject({ servers: [{ id: "files" }, { id: "db" }] });
    expect(opened).toEqual([]);
  });

  it("open prints a new one-time link into the dashboard", async () => {
    const { context, stdout } = await inHome();

    expect(await open(context, { home })).toBe(0);

    expect(stdout.text).toMatch(new RegExp(`^${service.url}/#login=[\\w-]{43}\n$`));
  });

  it("tools shows the service's tools", async () => {
    const { context, stdout, opened } = await inHome();

    expect(await tools(context, { home })).toBe(0);

    expect(stdout.text).toContain("mcp_files_list");
    expect(opened).toEqual([]);
  });

  it("call goes through the service", async () => {
    const { context, stdout, opened } = await inHome();

    expect(await call(context, { home, json: true }, "mcp_files_list", ["{}"])).toBe(0);

    expect(JSON.parse(stdout.text)).toMatchObject({ ok: true, text: "hello" });
    expect(opened).toEqual([]);
  });

  it("events replays what the service still knows and ends after --for", async () => {
    const { context, stdout } = await inHome();

    expect(await events(context, { home, json: true, for: "500ms" })).toBe(0);

    expect(JSON.parse(stdout.text)).toEqual({ seq: 1, at: 0, type: "mcp.retired", id: "old" });
  });

  it("runs a fleet of its own when files are named or --alone is given", async () => {
    const { context, opened } = await inHome();

    await servers(context, { home, config: ["mcp.json"] });
    await servers(context, { home, alone: true });

    expect(opened).toHaveLength(2);
  });

  it("approve lists what waits", async () => {
    const { context, stderr } = await inHome();

    expect(await approve(context, { home }, undefined)).toBe(0);

    expect(stderr.text).toBe("no approval is waiting\n");
  });

  it("an order for a server that does not exist is an error that names it", async () => {
    const { context } = await inHome();

    await expect(control(context, { home }, "restart", "nobody")).rejects.toThrow(/nobody/);
  });

  it("a second up --http says where the first one is", async () => {
    const other = fakeSupervisor({ servers: [server("files")] });
    const { context } = fakeContext(other.supervisor);

    await expect(up(context, { home, http: true })).rejects.toThrow(
      new RegExp(`runs already: ${service.url}`),
    );
    expect(other.counts.stopped).toBe(1);
  });
});

describe("without a service", () => {
  it("restart says how to start one", async () => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);

    await expect(control(context, { home }, "restart", "files")).rejects.toThrow(
      `no service runs for the state folder ${home}; start one with \`mcpvisor up --http\``,
    );
  });

  it("up --http serves until the signal, and prints the link first", async () => {
    await service.close();
    const other = fakeSupervisor({ servers: [server("files")] });
    const { context, stdout, opened, send } = fakeContext(other.supervisor);

    const running = up(context, { home, http: true });
    await until(() => stdout.text.includes("\n"), "the link");
    expect(await findService(home)).toMatchObject({ pid: process.pid });
    send("SIGINT");

    expect(await running).toBe(130);
    expect(stdout.text).toMatch(/^dashboard \(this link is good once\): http:\/\/127\.0\.0\.1:\d+\//);
    expect(await findService(home)).toBeUndefined();
    // Nobody sits at this terminal, so approvals stay open for the dashboard.
    expect(opened[0]).not.toHaveProperty("approve");
  });

  it("refuses a port that is none", async () => {
    const { context } = fakeContext(fakeSupervisor({ servers: [server("files")] }).supervisor);

    await service.close();
    await expect(up(context, { home, http: true, port: "http" })).rejects.toThrow(
      /--port "http" is not a port/,
    );
  });
});
