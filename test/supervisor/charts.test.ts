import { describe, expect, it } from "vitest";
import type { Supervisor } from "../../src/index.js";
import { fakeServer, fleetOf } from "../../src/testing/index.js";
import { running } from "../support.js";

async function withServer(id: string): Promise<Supervisor> {
  const fake = await fakeServer({ id });
  return running([], fleetOf(fake));
}

const states = (supervisor: Supervisor) => supervisor.servers().map(({ id, state }) => [id, state]);

describe("a supervisor after another has ended", () => {
  it("has its own servers, and is not harmed by what the ended one is told", async () => {
    const old = await withServer("old");
    await old.stop();
    const next = await withServer("next");

    await old.stop({ force: true });
    const late = await old.callTool("mcp_old_echo", {});

    expect(late).toMatchObject({ ok: false, failure: { kind: "unavailable" } });
    expect(states(next)).toEqual([["next", "ready"]]);
    expect(await next.callTool("mcp_next_echo", { text: "hello" })).toMatchObject({
      ok: true,
      text: "hello",
    });
  });

  it("shares nothing with one that lives beside it", async () => {
    await (await withServer("first")).stop();
    const one = await withServer("twin");
    const two = await withServer("twin");

    await one.stop();

    expect(states(two)).toEqual([["twin", "ready"]]);
    expect(await two.callTool("mcp_twin_echo", { text: "hello" })).toMatchObject({ ok: true, text: "hello" });
  });
});
