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
