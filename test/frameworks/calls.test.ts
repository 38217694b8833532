import { describe, expect, it } from "vitest";
import { hostOf } from "../../src/frameworks/index.js";
import type { ModelCall } from "../../src/frameworks/index.js";
import { fakeFleet } from "./fakeFleet.js";

const read = { name: "mcp_files_read", annotations: { readOnlyHint: true } };
const write = { name: "mcp_files_write" };

function host(options = {}) {
  const fleet = fakeFleet([read, write]);
  return { fleet, ...hostOf(fleet, "openai", options) };
}

const call = (name: string, args: unknown, id?: string): ModelCall => ({ id, name, arguments: args });

describe("calls of a model", () => {
  it("are run together and answered in order", async () => {
    const { fleet, run } = host();
    const waiting: (() => void)[] = [];
    fleet.answer = (name) => new Promise((done) => waiting.push(() => done({ text: name })));

    const running = run([call(read.name, { path: "a" }, "1"), call(write.name, { path: "b" }, "2")]);
    expect(fleet.calls).toHaveLength(2);
    for (const done of waiting.toReversed()) done();

    expect((await running).map((each) => each.text)).toEqual([read.name, write.name]);
  });

  it.each([
    ["a name that does not exist", call("mcp_files_reed", {}), "unknown-tool", "Did you mean mcp_files_read"],
    ["arguments that are not JSON", call(read.name, '{"path": '), "invalid-arguments", "not valid JSON"],
    [
      "arguments that are a list",
      call(read.name, "[1]"),
      "invalid-arguments",
      "must be one JSON object, not a list",
    ],
    ["no name", call("", {}), "unknown-tool", "There is no tool"],
  ])("%s ends as a message, and nothing is run", async (_, wrong, failure, text) => {
    const { fleet, run } = host();
    const [outcome] = await run([wrong]);

    expect(outcome).toMatchObject({ ok: false, failure, text: expect.stringContaining(text) });
    expect(fleet.calls).toEqual([]);
  });

  it("take arguments that were written as JSON twice, or not at all", async () => {
    const { fleet, run } = host();
    await run([call(read.name, JSON.stringify('{"path":"a"}')), call(read.name, "")]);

    expect(fleet.calls.map((each) => each.args)).toEqual([{ path: "a" }, {}]);
  });

  it("two calls with one id: the first is run, the second is told so", async () => {
    const { fleet, run } = host();
    const [first, second] = await run([
      call(write.name, { path: "a" }, "1"),
      call(write.name, { path: "b" }, "1"),
    ]);

    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({
      ok: false,
      failure: "repeated",
      text: expect.stringContaining("Only the first"),
    });
    expect(fleet.calls).toHaveLength(1);
  });

  it("a message that is handed in again does not write twice, but reads again", async () => {
    const { fleet, run } = host();
    const message = [call(read.name, { path: "a" }, "1"), call(write.name, { path: "a" }, "2")];
    const first = await run(message);
    const second = await run(message);

    expect(second.map((each) => each.text)).toEqual(first.map((each) => each.text));
    expect(fleet.calls.map((each) => each.name)).toEqual([read.name, write.name, read.name]);
  });

  it("a call that was not sent is run when it is handed in again", async () => {
    const { fleet, run } = host();
    const info = {
      id: "c",
      server: "s",
      tool: "t",
      name: "n",
      queuedMs: 0,
      durationMs: 0,
      sent: "no",
    } as const;
    fleet.answer = () => ({ ok: false, failure: { kind: "cancelled", message: "cancelled" }, call: info });
    await run([call(write.name, {}, "1")]);
    await run([call(write.name, {}, "1")]);

    expect(fleet.calls).toHaveLength(2);
  });

  it("a tool that vanished between steps says what its server offers now", async () => {
    const { fleet, run, offer } = host();
    expect(offer.list()).toHaveLength(2);
    fleet.set([read]);
    const [outcome] = await run([call(write.name, {})]);

    expect(outcome?.text).toContain("not available any more");
    expect(outcome?.text).toContain(read.name);
  });

  it("a result larger than the context keeps beginning and end, and says what to do", async () => {
    const { fleet, run } = host({ resultCharacters: 1000 });
    fleet.answer = () => ({ text: `begin${"x".repeat(100_000)}end` });
    const [outcome] = await run([call(read.name, {})]);

    expect(outcome!.text.length).toBeLessThan(1300);
    expect(outcome!.text).toMatch(/^begin[\s\S]*Ask for less[\s\S]*end$/);
  });

  it("a fleet that throws ends as a message", async () => {
    const { fleet, run } = host();
    fleet.answer = () => Promise.reject(new Error("broken"));

    expect(await run([call(read.name, {})])).toMatchObject([{ ok: false, failure: "internal" }]);
  });

  it("what is not selected cannot be called", async () => {
    const { fleet, run } = host({ readOnly: true });
    const [outcome] = await run([call(write.name, {})]);

    expect(outcome).toMatchObject({ ok: false, failure: "unknown-tool" });
    expect(fleet.calls).toEqual([]);
  });

  it("signal and options reach the call", async () => {
    const { fleet, run } = host({ timeout: "3s", caller: "me" });
    const { signal } = new AbortController();
    await run([call(read.name, {})], { signal });

    expect(fleet.calls[0]!.options).toMatchObject({ signal, timeout: "3s", caller: "me" });
  });
});
