import { describe, expect, it } from "vitest";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway } from "../../../src/gateway/gateway.js";
import type { Gateway } from "../../../src/gateway/gateway.js";
import { supervisorFleet } from "../../../src/gateway/supervisorFleet.js";
import { createSupervisor } from "../../../src/index.js";
import { eventually, temporaryFolder } from "../../support.js";
import { HandSession, afterTest, post } from "../rig.js";
import type { Json } from "../rig.js";
import { Upstream, said } from "../upstream.js";

const nothing = async (): Promise<void> => undefined;

/** A service that can begin anew at the same address, with the consumers and the key of its state folder. */
async function service(up: Upstream) {
  const started = await up.start("up");
  afterTest(() => up.close());
  const key = new Uint8Array(32).fill(7);
  const home = temporaryFolder();
  let gateway: Gateway | undefined;
  const server = createServer((incoming, outgoing) => void gateway?.handle(incoming, outgoing));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  let records: Json[] = [];
  let stop = nothing;
  const start = async (): Promise<Gateway> => {
    const supervisor = createSupervisor({
      home,
      mode: "allow-trusted",
      handleSignals: false,
      consumers: true,
      servers: [started.config],
    });
    await supervisor.ready({ timeout: "30s" });
    const made = createGateway(supervisorFleet(supervisor), { key, consumers: records as never });
    gateway = made;
    stop = async () => {
      records = [...made.consumers.records()];
      made.stop();
      server.closeAllConnections();
      await supervisor.stop();
    };
    return made;
  };
  afterTest(async () => {
    await stop();
    await new Promise((closed) => server.close(closed));
  });
  const first = await start();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { url, first, restart: async () => (await stop(), start()) };
}

async function session(url: string, token: string): Promise<HandSession> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  const response = await post(url, token, { id: 0, method: "initialize", params });
  return new HandSession(
    url,
    token,
    response.headers.get("mcp-session-id") ?? "",
    (await response.json()) as Json,
  );
}

describe("obligation 38: sessions outlive the service", () => {
  it("38: three sessions go on after a restart, are told once that lists may differ, and calls end", async () => {
    const up = new Upstream("http");
    const gone = { once: false };
    up.on("tools/call", ({ params }) =>
      params["arguments"].wait === true ? ((gone.once = true), new Promise(() => undefined)) : said("done"),
    );
    const place = await service(up);
    const sessions = await Promise.all(
      ["a", "b", "c"].map((name) => {
        const added = place.first.consumers.add(name, {});
        return session(place.url, "token" in added ? (added.token ?? "") : "");
      }),
    );
    const streams = await Promise.all(sessions.map((each) => each.stream()));
    const cut = sessions[0]!
      .open(1, "tools/call", { name: "up__run", arguments: { wait: true } })
      .then((each) => each.over)
      .catch(() => undefined);
    await eventually(() => gone.once, "the call upstream");
    const gateway = await place.restart();
    await Promise.all(streams.map((each) => each.over));
    await cut;

    for (const each of sessions) {
      expect(await each.ask(2, "ping")).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
      const called = await each.ask(3, "tools/call", { name: "up__run", arguments: {} });
      expect(called["result"].content[0].text).toBe("done");
      const stream = await each.stream();
      await eventually(() => stream.messages.length >= 3, "what may have changed");
      expect(stream.messages.map((message) => String(message["method"])).toSorted()).toEqual(
        ["prompts", "resources", "tools"].map((list) => `notifications/${list}/list_changed`),
      );
      stream.cut();
    }
    expect(gateway.figures().sessions).toBe(3);
  });

  it("38: a session that was left stays left, and a forged or foreign id opens nothing", async () => {
    const place = await service(new Upstream("http"));
    const token = (name: string): string => {
      const added = place.first.consumers.add(name, {});
      return "token" in added ? (added.token ?? "") : "";
    };
    const [a, b] = [await session(place.url, token("a")), await session(place.url, token("b"))];
    expect((await a.other("DELETE")).status).toBe(200);
    expect((await a.send({ id: 1, method: "ping" })).status).toBe(404);
    await place.restart();
    expect((await b.send({ id: 1, method: "ping" }, { token: a.token })).status).toBe(404);
    for (const id of [`${b.id}x`, b.id.slice(1), "x", "a".repeat(100_000)]) {
      const forged = new HandSession(b.url, b.token, id, {});
      expect([400, 404, 431]).toContain((await forged.send({ id: 1, method: "ping" })).status);
    }
    expect((await b.send({ id: 1, method: "ping" })).status).toBe(200);
  });
});
