import { describe, expect, it } from "vitest";
import { answer, modern, post, rig } from "../rig.js";

const echo = { id: "files", tools: ["echo"] };

describe("obligations of the gateway", () => {
  it("1: ids of any kind come back as they were sent, however many consumers send the same", async () => {
    const { rig: gate } = await rig([echo]);
    const sessions = await Promise.all(["a", "b"].map((name) => gate.session(gate.consumer(name))));
    const ids = [1, "1", 0, "", -3, 2 ** 53 - 1, 'a"b', "ü"];

    await Promise.all(
      sessions.flatMap((session, who) =>
        ids.map(async (id) => {
          const nonce = `${who}:${JSON.stringify(id)}`;
          const got = await session.ask(id, "tools/call", { name: "files__echo", arguments: { nonce } });
          expect(got["id"]).toBe(id);
          expect(JSON.stringify(got["result"])).toContain(JSON.stringify(JSON.stringify(nonce)).slice(2, -2));
        }),
      ),
    );
  });

  it("9: the session of one consumer is an unknown one for another, on POST, GET and DELETE", async () => {
    const { rig: gate } = await rig([echo]);
    const session = await gate.session(gate.consumer("a"));
    const other = gate.consumer("b");

    expect((await session.send({ id: 1, method: "ping" }, { token: other })).status).toBe(404);
    expect((await session.other("GET", other)).status).toBe(404);
    expect((await session.other("DELETE", other)).status).toBe(404);
    expect(await session.ask(2, "ping")).toMatchObject({ id: 2, result: {} });
  });

  it("10: a revoked token ends its session at once", async () => {
    const { rig: gate } = await rig([echo]);
    const session = await gate.session(gate.consumer("a"));
    gate.gateway.consumers.remove("a");

    expect((await session.send({ id: 1, method: "ping" })).status).toBe(401);
    expect(gate.gateway.figures().sessions).toBe(0);
  });

  it("11: what is out of scope answers like what does not exist", async () => {
    const { rig: gate } = await rig([echo, { id: "web", tools: ["fetch"] }]);
    const session = await gate.session(gate.consumer("a", { servers: ["files"] }));
    const call = (name: string) => session.ask(1, "tools/call", { name });

    const hidden = JSON.stringify(await call("web__fetch")).replaceAll("web__fetch", "NAME");
    expect(hidden).toBe(JSON.stringify(await call("made__up")).replaceAll("made__up", "NAME"));
    for (const path of ["/mcp/s/web", "/mcp/s/made-up"])
      expect((await post(gate.url + path, session.token, { id: 1, method: "ping" })).status).toBe(404);
  });

  it("22: a cursor of another consumer or an older list is refused", async () => {
    const { rig: gate } = await rig([{ id: "files", tools: ["a", "b", "c"] }], { pageSize: 2 });
    const [one, two] = await Promise.all([
      gate.session(gate.consumer("a")),
      gate.session(gate.consumer("b")),
    ]);
    const first = await one.ask(1, "tools/list");
    const cursor = String(first["result"].nextCursor);

    expect(first["result"].tools).toHaveLength(2);
    expect((await one.ask(2, "tools/list", { cursor }))["result"].tools).toHaveLength(1);
    for (const wrong of [
      await two.ask(3, "tools/list", { cursor }),
      await one.ask(4, "tools/list", { cursor: "x" }),
    ])
      expect(wrong["error"].code).toBe(-32_602);
  });

  it("30: headers of 2026-07-28 that do not say what the body says are refused", async () => {
    const { rig: gate } = await rig([echo]);
    const token = gate.consumer("a");
    const ask = (headers: Record<string, string>) =>
      modern(`${gate.url}/mcp`, token, 1, "tools/list", {}, { headers });

    for (const wrong of [{ "mcp-method": "tools/call" }, { "mcp-protocol-version": "2025-11-25" }]) {
      const response = await ask(wrong);
      expect(response.status).toBe(400);
      expect((await answer(response))["error"].code).toBe(-32_020);
    }
    expect((await modern(`${gate.url}/mcp`, token, 2, "no/such")).status).toBe(404);
  });

  it("34: a token is stored as a hash only", async () => {
    const { rig: gate } = await rig([echo]);
    const token = gate.consumer("a");

    expect(JSON.stringify(gate.gateway.consumers.records())).not.toContain(token.slice(5));
    expect(JSON.stringify(gate.gateway.consumers.list())).not.toContain("hash");
  });
});
