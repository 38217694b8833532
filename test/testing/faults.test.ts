import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { faultTable } from "../../src/testing/fake/faults.js";
import { inMemory } from "../../src/testing/simulation/openWorld.js";
import { fakeServer, fleetOf } from "../../src/testing/index.js";
import type { FakeServer, FaultName } from "../../src/testing/index.js";
import { running } from "../support.js";

const tests = resolve(import.meta.dirname, "..");
const fakes: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(fakes.splice(0).map((fake) => fake.close()));
});

async function up(fault: FaultName) {
  const fake = await fakeServer({
    id: "files",
    over: "stdio",
    tools: ["echo"],
    faults: [{ fault, nth: 1, generation: 1 }],
  });
  fakes.push(fake);
  const supervisor = await running([], fleetOf(fake));
  return {
    fake,
    call: (text: string, timeout: string) => supervisor.callTool("mcp_files_echo", { text }, { timeout }),
  };
}

describe("a fake server that closes its input", () => {
  it("still answers, loses the next call, and is replaced by a new life", async () => {
    const { fake, call } = await up("close-stdin");

    expect(await call("one", "20s")).toMatchObject({ ok: true, text: "one" });
    expect(await call("two", "20s")).toMatchObject({ ok: false, failure: { kind: "outcome-unknown" } });
    expect(await call("three", "30s")).toMatchObject({ ok: true, text: "three" });
    expect(fake.generation).toBe(2);
  });
});

describe("a fake server that reads no more", () => {
  it("answers nothing, and takes no more than what may wait for it", async () => {
    const { fake, call } = await up("stop-reading");
    const large = "x".repeat(5_000_000);

    expect(await call("one", "1s")).toMatchObject({ ok: false, failure: { kind: "timeout" } });
    expect(await call(large, "1s")).toMatchObject({ ok: false, failure: { kind: "timeout" } });
    expect(await call(large, "20s")).toMatchObject({ ok: false, call: { sent: "no" } });
    expect(fake.reached.get("stop-reading")).toBe(1);
  });
});

it("no fault is without a test", () => {
  const texts = readdirSync(tests, { recursive: true, encoding: "utf8" })
    .filter((name) => /^(?:testing|faults)\b.*\.ts$/.test(name))
    .map((name) => readFileSync(join(tests, name), "utf8"));
  const untested = Object.keys(faultTable).filter(
    (fault) => !texts.some((text) => text.includes(`"${fault}"`)),
  );

  expect(untested).toEqual([]);
});

it("the simulation draws from all faults that a server in memory can have", () => {
  const possible = Object.entries(faultTable).filter(
    ([, { over }]) => over === undefined || over.includes("memory"),
  );

  expect(inMemory.toSorted()).toEqual(possible.map(([fault]) => fault).toSorted());
});
