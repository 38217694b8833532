import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, fleetOf } from "../../src/testing/index.js";
import type { FakeScript, FakeServer, Medium } from "../../src/testing/index.js";
import type { Supervisor } from "../../src/index.js";
import { eventually, running } from "../support.js";

const fakes: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(fakes.splice(0).map((fake) => fake.close()));
});

async function up(script: FakeScript): Promise<{ fake: FakeServer; supervisor: Supervisor }> {
  const fake = await fakeServer(script);
  fakes.push(fake);
  const supervisor = await running([], fleetOf(fake));
  return { fake, supervisor };
}

const media: Medium[] = ["memory", "stdio", "http"];

describe.each(media)("a fake server over %s", (over) => {
  it("offers its tools, page by page, and answers as its script says", async () => {
    const { fake, supervisor } = await up({
      id: "files",
      over,
      pageSize: 1,
      tools: ["echo", { name: "add", answer: ({ a, b }) => String(Number(a) + Number(b)) }],
    });

    const sum = await supervisor.callTool("mcp_files_add", { a: 2, b: 3 });

    expect(supervisor.tools().map(({ tool }) => tool)).toEqual(["add", "echo"]);
    expect(sum).toMatchObject({ ok: true, text: "5" });
    expect(fake.received.map(({ method }) => method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/list",
      "tools/call",
    ]);
  });

  it("crashes when it is told to, and serves again in its next life", async () => {
    const { fake, supervisor } = await up({
      id: "files",
      over,
      faults: [{ fault: "crash-before", nth: 1 }],
    });

    const lost = await supervisor.callTool("mcp_files_echo", { text: "a" });
    const next = await supervisor.callTool("mcp_files_echo", { text: "b" });

    expect(lost).toMatchObject({ ok: false, failure: { kind: "outcome-unknown" } });
    expect(next).toMatchObject({ ok: true, text: "b" });
    expect([...fake.reached]).toEqual([["crash-before", 1]]);
  });

  it("takes an answer for what it is when a fault twists it", async () => {
    const { fake, supervisor } = await up({ id: "files", over });
    const ask = (text: string) => supervisor.callTool("mcp_files_echo", { text }, { timeout: "2s" });

    const undo = fake.inject({ fault: "string-id" });
    expect(await ask("string id")).toMatchObject({ ok: true, text: "string id" });
    undo();
    fake.inject({ fault: "duplicate-answer", times: 1 });
    expect(await ask("twice")).toMatchObject({ ok: true, text: "twice" });
    fake.inject({ fault: "error", times: 1, code: -32099, text: "no such luck" });
    expect(await ask("error")).toMatchObject({
      ok: false,
      failure: { kind: "protocol-error", code: -32099 },
    });
    fake.heal();
    expect(await ask("well")).toMatchObject({ ok: true, text: "well" });
  });

  it("tells a new list of tools", async () => {
    const { fake, supervisor } = await up({ id: "files", over });

    fake.offer(["read", "write"]);

    await eventually(() => supervisor.tools().length === 2, "two tools");
    expect(supervisor.tools().map(({ tool }) => tool)).toEqual(["read", "write"]);
  });
});

describe("a fake server", () => {
  it("refuses a fault that its medium cannot have", async () => {
    await expect(fakeServer({ id: "x", faults: [{ fault: "gzip-bomb" }] })).rejects.toThrow(
      'a fake server over memory cannot have the fault "gzip-bomb"; it needs http',
    );
  });
});
