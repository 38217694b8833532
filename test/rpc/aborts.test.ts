import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { unwatchAbort, watchAbort } from "../../src/rpc/aborts.js";

describe("abort signals", () => {
  it("carry one listener however many calls share them, and none when the calls are done", () => {
    const { signal } = new AbortController();
    const items = Array.from({ length: 2000 }, () => ({ abort: () => undefined }));

    for (const item of items) watchAbort(signal, item);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    for (const item of items) unwatchAbort(signal, item);

    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("end every watched item once, with the reason", () => {
    const controller = new AbortController();
    const ended: unknown[] = [];
    const item = { abort: (reason: unknown) => ended.push(reason) };
    const gone = { abort: () => ended.push("gone") };
    watchAbort(controller.signal, item);
    watchAbort(controller.signal, gone);
    unwatchAbort(controller.signal, gone);

    controller.abort("enough");

    expect(ended).toEqual(["enough"]);
  });

  it("still end what is watched when something that never was is taken off the same signal", () => {
    const controller = new AbortController();
    const ended: string[] = [];
    const stranger = { abort: () => ended.push("stranger") };
    watchAbort(controller.signal, { abort: () => ended.push("watched") });
    unwatchAbort(controller.signal, stranger);
    unwatchAbort(new AbortController().signal, stranger);

    controller.abort();

    expect(ended).toEqual(["watched"]);
  });

  it("lose nobody while the items of one signal grow from one to three and back", () => {
    const controller = new AbortController();
    const ended: string[] = [];
    const [a, b, c] = ["a", "b", "c"].map((name) => ({ abort: () => ended.push(name) }));
    for (const item of [a, b, c]) watchAbort(controller.signal, item!);
    unwatchAbort(controller.signal, a!);
    unwatchAbort(controller.signal, b!);
    unwatchAbort(controller.signal, b!);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);

    controller.abort();

    expect(ended).toEqual(["c"]);
    unwatchAbort(controller.signal, c!);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("work again after all items have left", () => {
    const controller = new AbortController();
    const ended: string[] = [];
    const first = { abort: () => ended.push("first") };
    watchAbort(controller.signal, first);
    unwatchAbort(controller.signal, first);
    watchAbort(controller.signal, { abort: () => ended.push("second") });

    controller.abort();

    expect(ended).toEqual(["second"]);
  });
});
