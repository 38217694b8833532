import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompiledRooms, compileRooms, libraryRooms, startWaitingHost } from "../process/hostPrograms.js";
import { scripted, temporaryFolder } from "../support.js";

let rooms: CompiledRooms;

beforeAll(() => {
  rooms = compileRooms(libraryRooms);
});

afterAll(() => rooms.remove());

const patient = { timeout: 60_000 };

/** It fails at once and is tried again by itself, so between two tries nothing runs at all. */
const failing = {
  id: "failing",
  command: process.execPath,
  args: ["-e", "process.exit(3)"],
  restart: "eager",
};

const asking = scripted("tagged", "scripted.mjs", ['--annotations={"destructiveHint":true}']);

describe("a host that has nothing to do but to wait", () => {
  it("lives until ready() has its report, also while no server runs", patient, async () => {
    const host = startWaitingHost(rooms, { home: temporaryFolder(), server: failing, wait: "ready" });

    expect(await host.line()).toEqual({ ok: false, timedOut: true });
    expect(await host.exit).toEqual({ code: 0, signal: null });
  });

  it("lives until an approval has been decided, also while no server runs", patient, async () => {
    const host = startWaitingHost(rooms, { home: temporaryFolder(), server: asking, wait: "approval" });

    expect(await host.line()).toEqual({ kind: "denied" });
    expect(await host.exit).toEqual({ code: 0, signal: null });
  });

  it("is not held by an approval once the supervisor has stopped", patient, async () => {
    const plan = { home: temporaryFolder(), server: asking, wait: "approval-then-stop" };
    const host = startWaitingHost(rooms, plan);

    expect(await host.line()).toMatchObject({ kind: expect.any(String) });
    expect(await host.exit).toEqual({ code: 0, signal: null });
  });

  it("is not held by a ready() once the supervisor has stopped", patient, async () => {
    const plan = { home: temporaryFolder(), server: failing, wait: "ready-then-stop" };
    const host = startWaitingHost(rooms, plan);

    expect(await host.line()).toEqual({ stopped: true });
    expect(await host.exit).toEqual({ code: 0, signal: null });
  });
});
