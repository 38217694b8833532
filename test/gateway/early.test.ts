import { expect, it } from "vitest";
import { supervisorFleet } from "../../src/gateway/supervisorFleet.js";
import { supervise } from "../support.js";
import { afterTest, rigOver } from "./rig.js";
import { Upstream, said } from "./upstream.js";

const call = (name: string) => ({ name, arguments: {} });

it("a call of a tool that comes while its server is still being connected waits for its list", async () => {
  const up = new Upstream("http").on("tools/call", () => said("done"));
  const listed = up.handlers.get("tools/list")!;
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  up.on("tools/list", async (taken) => held.then(() => listed(taken)));
  const other = new Upstream("http");
  await Promise.all([up.start("up"), other.start("other")]);
  afterTest(() => up.close());
  afterTest(() => other.close());
  const supervisor = supervise([up.config, other.config], { consumers: true });
  const fleet = supervisorFleet(supervisor);
  const gate = await rigOver(supervisor);
  await supervisor.start();
  await supervisor.server("other")!.connect();
  const session = await gate.session(gate.consumer("a"));
  expect([fleet.starting("up"), fleet.starting("other"), fleet.starting("no")]).toEqual([true, false, false]);

  const waiting = session.ask(1, "tools/call", call("up__run"));
  // What can be no tool of it fails at once, and so does what a cancelled host asked for.
  expect((await session.ask(2, "tools/call", call("other__x")))["error"].code).toBe(-32_602);
  expect((await session.ask(3, "tools/call", call("nobody__x")))["error"].code).toBe(-32_602);
  expect(up.calls("tools/call")).toEqual([]);
  release?.();

  expect((await waiting)["result"].content[0].text).toBe("done");
  expect((await session.ask(4, "tools/call", call("up__x")))["error"].code).toBe(-32_602);
});
