import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/index.js";
import { realClock } from "../../src/index.js";
import { discovery, scriptHttp } from "../eras/httpServer.js";
import { eventually, running } from "../support.js";

/** The real clock, except that the time on it can be moved. */
function movable(): Clock & { skip(ms: number): void } {
  let skipped = 0;
  return {
    ...realClock,
    now: () => realClock.now() + skipped,
    elapsed: () => performance.now() + skipped,
    skip: (ms) => {
      skipped += ms;
    },
  };
}

describe("the tools of a server that cannot be listened to (row 34)", () => {
  it("are listed again when somebody looks at them after their time", async () => {
    const clock = movable();
    let tools = [{ name: "one", inputSchema: {} }];
    const server = await scriptHttp((one) => {
      if (one.method === "server/discover") return { result: discovery({ tools: {} }) };
      return { result: { resultType: "complete", tools, ttlMs: 60_000, cacheScope: "private" } };
    });
    const supervisor = await running([{ id: "web", transport: "http", url: server.url }], { clock });
    tools = [...tools, { name: "two", inputSchema: {} }];
    const walks = (): number => server.seen.filter(({ method }) => method === "tools/list").length;

    clock.skip(59_000);
    expect(supervisor.tools()).toHaveLength(1);
    expect(walks()).toBe(1);
    clock.skip(2000);
    await eventually(() => supervisor.tools().length === 2, "the second tool shows");
    expect(walks()).toBe(2);
  });
});

describe("lists of 2026-07-28 (row 34)", () => {
  it.each([
    ["0", 0, 0, 3],
    ["negative", -5, 0, 3],
    ["no number", "soon", 0, 3],
    ["a minute, asked within it", 60_000, 10_000, 1],
    ["a minute, asked after it", 60_000, 61_000, 3],
    ["a million years, asked within a day", 3e16, 3_600_000, 1],
    ["a million years, asked after a day", 3e16, 86_400_001, 3],
  ])("are fresh for ttlMs: %s", async (_, ttlMs, skipMs, walks) => {
    const clock = movable();
    const server = await scriptHttp((one) => {
      if (one.method === "server/discover") return { result: discovery({ prompts: {} }) };
      return { result: { resultType: "complete", prompts: [{ name: "p" }], ttlMs, cacheScope: "private" } };
    });
    const supervisor = await running([{ id: "web", transport: "http", url: server.url }], { clock });
    const handle = supervisor.server("web");

    for (let times = 0; times < 3; times++) {
      expect(await handle?.listPrompts()).toMatchObject({ ok: true, value: [{ name: "p" }] });
      clock.skip(skipMs);
    }

    expect(server.seen.filter(({ method }) => method === "prompts/list")).toHaveLength(walks);
  });

  it("are not shared between two sets of credentials", async () => {
    const server = await scriptHttp((one) => {
      if (one.method === "server/discover") return { result: discovery({ prompts: {} }) };
      const name = String(one.headers.authorization);
      return {
        result: { resultType: "complete", prompts: [{ name }], ttlMs: 60_000, cacheScope: "private" },
      };
    });
    const supervisor = await running(
      ["ada", "bob"].map((id) => ({
        id,
        transport: "http",
        url: server.url,
        headers: { Authorization: id },
      })),
    );

    expect(await supervisor.server("ada")?.listPrompts()).toMatchObject({ value: [{ name: "ada" }] });
    expect(await supervisor.server("bob")?.listPrompts()).toMatchObject({ value: [{ name: "bob" }] });
  });
});
