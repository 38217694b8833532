import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { serverPaths } from "../../src/machines/paths.js";
import { layOut, type MachineChart } from "../../src/http/web/chart/layout.js";

const { server } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../docs/states.json"), "utf8"),
) as { server: MachineChart };

describe("the chart of the dashboard", () => {
  it("has every state that hosts see, with the words of the machine", () => {
    const { boxes } = layOut(server);

    const states = Object.keys(serverPaths).filter((state) => state !== "new");

    expect(boxes.map((box) => box.id).toSorted()).toEqual(states.toSorted());
    expect(boxes.every((box) => box.description !== "")).toBe(true);
  });

  it("has the steps of the machine, folded into those states", () => {
    const { lines } = layOut(server);

    expect(lines.map((line) => `${line.from} > ${line.to}`).toSorted()).toEqual([
      "alive > closing",
      "authorizing > connecting",
      "authorizing > deciding",
      "authorizing > idle",
      "authorizing > parked",
      "closing > deciding",
      "closing > stuck",
      "connecting > initializing",
      "deciding > connecting",
      "deciding > disabled",
      "deciding > idle",
      "deciding > parked",
      "deciding > reconnecting",
      "deciding > retired",
      "disabled > deciding",
      "idle > connecting",
      "idle > deciding",
      "idle > reconnecting",
      "initializing > listing",
      "listing > ready",
      "parked > authorizing",
      "parked > connecting",
      "parked > deciding",
      "parked > idle",
      "ready > draining",
      "ready > refreshing",
      "ready > replacing",
      "reconnecting > connecting",
      "reconnecting > deciding",
      "reconnecting > idle",
      "refreshing > ready",
      "replacing > draining",
      "replacing > ready",
      "resting > retired",
      "stuck > closing",
    ]);
  });

  it("says when a state of the machine is gone", () => {
    const without = { ...server, nodes: server.nodes.filter((node) => node.name !== "parked") };

    expect(() => layOut(without)).toThrow("no state parked");
  });
});
