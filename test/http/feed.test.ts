import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServiceClient } from "../../src/http/index.js";
import type { Fact } from "../../src/index.js";
import type { FakeSupervisor } from "./fakeSupervisor.js";
import { rig, until, type Rig } from "./rig.js";

const cause = { kind: "listed", message: "listed 2 tools" } as const;

function log(fake: FakeSupervisor, id: string, message = "x"): Fact {
  return fake.publish({ type: "mcp.log", id, level: "info", message });
}

/** Opens the feed over a bare socket, as one text that grows. */
function follow(
  { port, token }: Rig,
  path = "/api/mcp/events",
  headers = "",
): { text(): string; closed(): boolean } {
  let text = "";
  let closed = false;
  const socket = connect(port, "127.0.0.1", () =>
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n`,
    ),
  );
  socket.on("data", (chunk) => (text += chunk.toString()));
  socket.on("error", () => undefined);
  socket.on("close", () => (closed = true));
  onTestFinished(() => void socket.destroy());
  return { text: () => text, closed: () => closed };
}

/** Counts facts without keeping them; a frame may be cut by the end of a chunk. */
function countingReader({ port, token }: Rig): { seen(): number; greeted(): boolean } {
  let seen = 0;
  let greeted = false;
  let rest = "";
  const socket = connect(port, "127.0.0.1", () =>
    socket.write(
      `GET /api/mcp/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    ),
  );
  socket.on("data", (chunk) => {
    const text = rest + chunk.toString("latin1");
    greeted ||= text.includes("event: hello");
    seen += text.split("\nid: ").length - 1;
    rest = text.slice(-4);
  });
  onTestFinished(() => void socket.destroy());
  return { seen: () => seen, greeted: () => greeted };
}

describe("the event feed", () => {
  it("sends facts with their sequence number as id, from now on", async () => {
    const stage = await rig();
    log(stage.fake, "before");
    const reader = follow(stage);
    await until(() => reader.text().includes("event: hello"));

    stage.fake.publish({
      type: "mcp.state",
      id: "files",
      generation: 1,
      from: "listing",
      to: "ready",
      cause,
    });
    await until(() => reader.text().includes("mcp.state"));

    expect(reader.text()).toContain('id: 2\nevent: mcp.state\ndata: {"type":"mcp.state","id":"files",');
    expect(reader.text()).not.toContain('"before"');
    expect(reader.text()).toMatch(/content-type: text\/event-stream/i);
    expect(reader.text()).toContain("retry: 2000\n\n");
  });

  it("replays what came after Last-Event-ID, then follows, without a gap or a double", async () => {
    const stage = await rig();
    for (let at = 0; at < 50; at++) log(stage.fake, "files");
    const reader = follow(stage, undefined, "Last-Event-ID: 20\r\n");
    for (let at = 0; at < 50; at++) log(stage.fake, "files");
    await until(() => reader.text().includes("id: 50\n"));
    for (let at = 0; at < 50; at++) log(stage.fake, "files");
    await until(() => reader.text().includes("id: 150\n"));

    const ids = [...reader.text().matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
    expect(ids).toEqual(Array.from({ length: 130 }, (_, at) => at + 21));
    expect(reader.text()).not.toContain("event: reset");
  });

  it("says when facts in between are gone, and when the service began anew", async () => {
    const stage = await rig();
    for (let at = 0; at < 10_500; at++) log(stage.fake, "files");
    const old = follow(stage, "/api/mcp/events?after=100");
    const future = follow(stage, "/api/mcp/events?after=999999");

    await until(() => old.text().includes("id: 10500\n") && future.text().includes("id: 10500\n"));
    expect(old.text()).toContain('event: reset\ndata: {"reason":"too-old"}');
    expect(future.text()).toContain('event: reset\ndata: {"reason":"restarted"}');
    expect(old.text().match(/^id: /gm)).toHaveLength(10_000);
  });

  it("filters by server and by type", async () => {
    const stage = await rig();
    const one = follow(stage, "/api/mcp/events?after=0&server=a,b&type=mcp.log");
    const calls = follow(stage, "/api/mcp/events?after=0&type=mcp.call");
    log(stage.fake, "a");
    log(stage.fake, "c");
    stage.fake.publish({ type: "mcp.retired", id: "b" });
    stage.fake.publish({ type: "mcp.call.started", call: "1", id: "a", tool: "t", name: "mcp_a_t" });
    log(stage.fake, "b");

    await until(() => one.text().includes("id: 5\n") && calls.text().includes("id: 4\n"));
    expect([...one.text().matchAll(/^id: (\d+)$/gm)].map((match) => match[1])).toEqual(["1", "5"]);
    expect([...calls.text().matchAll(/^id: (\d+)$/gm)].map((match) => match[1])).toEqual(["4"]);
  });

  it("beats", async () => {
    const stage = await rig({ limits: { heartbeatMs: 20 } });
    const reader = follow(stage);

    await until(() => reader.text().split(": still here").length > 3);
    expect(reader.text()).toMatch(/(: still here\n\n[^:]*){3}/);
  });

  it("drops a reader that does not read, and nobody else", async () => {
    const stage = await rig();
    const { fake, port, token, ask } = stage;
    const good = follow(stage, "/api/mcp/events?type=mcp.retired");
    const stuck = connect(port, "127.0.0.1", () =>
      stuck.write(
        `GET /api/mcp/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      ),
    );
    stuck.pause();
    stuck.on("error", () => undefined);
    onTestFinished(() => void stuck.destroy());
    const metric = async (name: string): Promise<number> => {
      const text = await (await ask("GET", "/metrics")).text();
      return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
    };
    await until(async () => (await metric("mcpvisor_feed_readers")) === 2);

    const message = "m".repeat(16_384);
    await until(async () => {
      for (let at = 0; at < 20; at++) log(fake, "files", message);
      return (await metric("mcpvisor_feed_dropped")) === 1;
    });
    fake.publish({ type: "mcp.retired", id: "last" });

    await until(() => good.text().includes('"last"'));
    expect(await metric("mcpvisor_feed_readers")).toBe(1);
  });

  it("takes a reader with a large journal to catch up at its own pace instead of dropping it", async () => {
    const stage = await rig();
    const message = "m".repeat(2048);
    for (let at = 0; at < 5000; at++) log(stage.fake, "files", message);

    const client = createServiceClient(stage.service, stage.token);
    onTestFinished(() => client.close());
    let seen = 0;
    for await (const fact of client.events({ after: 0 })) {
      seen++;
      expect(fact.seq).toBe(seen);
      if (fact.seq === 5000) break;
    }

    expect(seen).toBe(5000);
  });

  it("refuses more readers than it was made for", async () => {
    const stage = await rig({ limits: { readers: 2 } });
    const readers = [follow(stage), follow(stage)];
    await until(() => readers.every((reader) => reader.text().includes("hello")));

    const third = await stage.ask("GET", "/api/mcp/events");

    expect(third.status).toBe(503);
    expect(await third.json()).toMatchObject({ code: "too-many-readers" });
  });

  it("ends all streams when the service ends", async () => {
    const stage = await rig();
    const reader = follow(stage);
    await until(() => reader.text().includes("hello"));

    await stage.service.close();
    await until(() => reader.closed());

    expect(reader.text()).toMatch(/event: hello[^\0]*$/);
  });

  it("gives many readers every fact in order", async () => {
    const full = process.env["MCPVISOR_FULL"] !== undefined;
    const [count, facts] = full ? [200, 100_000] : [50, 5000];
    const stage = await rig({
      limits: { readers: count },
      listener: { connections: count + 10 },
      metrics: false,
    });
    const readers = Array.from({ length: count }, () => countingReader(stage));
    await until(() => readers.every((reader) => reader.greeted()));
    const begun = process.cpuUsage();

    for (let sent = 0; sent < facts; ) {
      for (let at = 0; at < 100; at++, sent++) log(stage.fake, "files");
      await new Promise((resolve) => setImmediate(resolve));
      // As fast as the slowest reader takes them: the point is the cost, not to overrun anybody.
      await until(() => readers.every((reader) => sent - reader.seen() < 2000), 60_000);
    }
    await until(() => readers.every((reader) => reader.seen() === facts), 120_000);

    const { user, system } = process.cpuUsage(begun);
    if (full)
      process.stderr.write(
        `${count} readers x ${facts} facts: ${Math.round((user + system) / 1000)} ms CPU\n`,
      );
    expect(readers.map((reader) => reader.seen())).toEqual(readers.map(() => facts));
  }, 600_000);
});
