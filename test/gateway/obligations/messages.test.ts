import { describe, expect, it } from "vitest";
import { eventually } from "../../support.js";
import { behind, modern, modernEvents } from "../rig.js";
import { Upstream, said } from "../upstream.js";
import type { UpstreamKind } from "../upstream.js";

const kinds: readonly UpstreamKind[] = ["stdio", "http", "modern"];
const call = { name: "up__run", arguments: {} };

describe("obligations: ids, tokens and cancellation", () => {
  it("1: a thousand interleaved calls of two consumers with equal ids get each its own answer", async () => {
    const up = new Upstream("stdio").on("tools/call", ({ params }) => said(params["arguments"].nonce));
    const gate = await behind({ up });
    const sessions = await Promise.all(["a", "b"].map((name) => gate.session(gate.consumer(name))));
    const ids = Array.from({ length: 500 }, (_, at) => (at % 2 === 0 ? at : String(at - 1)));

    for (let from = 0; from < ids.length; from += 25)
      await Promise.all(
        ids.slice(from, from + 25).flatMap((id) =>
          sessions.map(async (session, who) => {
            const nonce = `${who} ${typeof id} ${id}`;
            const got = await session.ask(id, "tools/call", { ...call, arguments: { nonce } });
            expect(got).toMatchObject({ id, result: { content: [{ text: nonce }] } });
          }),
        ),
      );
    const upstreamIds = up.calls("tools/call").map((each) => each.id);
    expect(new Set(upstreamIds).size).toBe(1000);
  });

  it.each(kinds)("2: progress comes back under the consumer's token, of its type (%s)", async (kind) => {
    const tokens: unknown[] = [];
    const up = new Upstream(kind).on("tools/call", async ({ meta, notify, params }) => {
      const { progressToken } = meta;
      tokens.push(progressToken);
      if (progressToken !== undefined)
        notify("notifications/progress", { progressToken, progress: 1, message: params["arguments"].nonce });
      return said("done");
    });
    const gate = await behind({ up });
    const sessions = await Promise.all(["a", "b"].map((name) => gate.session(gate.consumer(name))));

    await Promise.all(
      sessions.flatMap((session, who) =>
        [1, "1"].map(async (progressToken) => {
          const nonce = `${who}${typeof progressToken}`;
          const params = { ...call, arguments: { nonce }, _meta: { progressToken } };
          const stream = await session.open(nonce, "tools/call", params);
          await stream.answer();
          expect(stream.told("notifications/progress").map((each) => each["params"])).toEqual([
            { progressToken, progress: 1, message: nonce },
          ]);
        }),
      ),
    );
    expect(new Set(tokens).size).toBe(4);
    await sessions[0]?.ask(9, "tools/call", call);
    expect(tokens.at(-1)).toBeUndefined();
  });

  it.each(kinds)("3: progress that falls, or comes after the end, is not passed on (%s)", async (kind) => {
    let late: (() => void) | undefined;
    const up = new Upstream(kind).on("tools/call", ({ meta, notify }) => {
      const progress = (value: number) =>
        notify("notifications/progress", { progressToken: meta["progressToken"], progress: value });
      for (const value of [1, 3, 2, 3, 4]) progress(value);
      late = () => progress(5);
      return said("done");
    });
    const gate = await behind({ up });
    const session = await gate.session(gate.consumer("a"));
    const other = await session.stream();
    const stream = await session.open(1, "tools/call", { ...call, _meta: { progressToken: "t" } });
    await stream.answer();
    if (kind === "stdio") late?.();
    await session.ask(2, "tools/call", call);
    await stream.over;

    expect(stream.told("notifications/progress").map((each) => each["params"].progress)).toEqual([1, 3, 4]);
    expect(stream.messages.at(-1)).toHaveProperty("result");
    expect(other.messages).toEqual([]);
  });

  for (const kind of kinds)
    for (const era of ["legacy notification", "legacy end of stream", "modern end of stream"])
      it(`4: cancelling reaches exactly the one request upstream (${era}, ${kind})`, async () => {
        const started: string[] = [];
        const up = new Upstream(kind).on("tools/call", ({ params }) => {
          started.push(params["arguments"].who);
          return new Promise(() => undefined);
        });
        const gate = await behind({ up });
        const token = gate.consumer("a");
        const session = await gate.session(token);
        const open = (who: string) =>
          era.startsWith("modern")
            ? modernEvents(`${gate.url}/mcp`, token, who, "tools/call", { ...call, arguments: { who } })
            : session.open(who, "tools/call", { ...call, arguments: { who } });
        const answers = [open("first"), open("second")];
        await eventually(() => started.length === 2, "both calls at the upstream");
        const upstreamId = up
          .calls("tools/call")
          .find((each) => each.params["arguments"].who === "first")?.id;
        const asked = Date.now();
        if (era === "legacy notification")
          await session.send({ method: "notifications/cancelled", params: { requestId: "first" } });
        else (await answers[0])?.cut();
        await eventually(() => up.cancelled.length > 0, "the cancel upstream");

        expect(Date.now() - asked).toBeLessThan(2000);
        expect(up.cancelled).toEqual([upstreamId]);
        expect(up.open.size).toBeGreaterThanOrEqual(1);
        (await answers[1])?.cut();
        await eventually(() => gate.gateway.figures().answers === 0, "no answer open");
      });

  it("5: cancelling what is unknown, over or another's does nothing, and initialize cannot be cancelled", async () => {
    let finish: ((value: unknown) => void) | undefined;
    const up = new Upstream("stdio").on("tools/call", () => new Promise((done) => (finish = done)));
    const gate = await behind({ up });
    const [a, b] = await Promise.all(["a", "b"].map((name) => gate.session(gate.consumer(name))));
    const stream = a?.open(1, "tools/call", call);
    await eventually(() => finish !== undefined, "the call at the upstream");

    for (const requestId of [1, 99, "1", 0, null, { a: 1 }])
      expect((await b!.send({ method: "notifications/cancelled", params: { requestId } })).status).toBe(202);
    await a!.send({ method: "notifications/cancelled", params: { requestId: 0 } });
    await a!.send({ method: "notifications/cancelled" });
    finish?.(said("whole"));
    expect(await (await stream!).answer()).toMatchObject({ id: 1, result: { content: [{ text: "whole" }] } });
    expect(up.cancelled).toEqual([]);
    expect(await b!.ask(2, "ping")).toMatchObject({ result: {} });
  });

  it("7: an answer for a consumer that is gone is dropped, a thousand times, without a rejection", async () => {
    const rejected: unknown[] = [];
    const note = (reason: unknown) => void rejected.push(reason);
    process.on("unhandledRejection", note);
    try {
      const up = new Upstream("http").on(
        "tools/call",
        () => new Promise((done) => setImmediate(() => done(said("late")))),
      );
      const gate = await behind({ up });
      const token = gate.consumer("a", { limits: { inFlight: 1000 } });
      for (let round = 0; round < 20; round++)
        await Promise.all(
          Array.from({ length: 50 }, async (_, at) => {
            const controller = new AbortController();
            const sent = modern(`${gate.url}/mcp`, token, at, "tools/call", call, {
              signal: controller.signal,
            });
            setImmediate(() => controller.abort());
            await sent.then((response) => response.text()).catch(() => undefined);
          }),
        );
      await eventually(() => gate.gateway.figures().answers === 0, "no answer open");
      expect((await modern(`${gate.url}/mcp`, token, 1, "tools/call", call)).status).toBe(200);
      expect(rejected).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});
