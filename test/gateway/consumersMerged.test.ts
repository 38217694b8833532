import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConsumers, saveConsumers } from "../../src/gateway/index.js";
import { temporaryFolder } from "../support.js";

const token = (hash: string, more = {}) => ({ hash, createdAt: 1, ...more });

const record = (lastUsedAt: number) => ({ name: "a", config: {}, token: token("h", { lastUsedAt }) });

async function consumersIn(home: string): Promise<Record<string, unknown>> {
  return (JSON.parse(await readFile(join(home, "consumers.json"), "utf8")) as { consumers: never }).consumers;
}

describe("consumers.json", () => {
  it("keeps what another process added, rotated and removed since it was read", async () => {
    const home = temporaryFolder();
    await saveConsumers(
      home,
      [
        { name: "old", config: {}, token: token("h1") },
        { name: "gone", config: {}, token: token("h2") },
      ],
      undefined,
    );
    const seen = await loadConsumers(home);

    // Another one: `old` gets a new token, `gone` goes, `new` comes.
    await saveConsumers(
      home,
      [
        { name: "old", config: {}, token: token("h9") },
        { name: "new", config: {} },
      ],
      undefined,
      seen,
    );
    // This one has seen them used, and gives `old` another mode.
    const used = seen.records.map((each) => ({ ...each, token: { ...each.token!, lastUsedAt: 7 } }));
    const changed = used.map((each) => (each.name === "old" ? { ...each, config: { mode: "ask" } } : each));
    await saveConsumers(home, changed as never, "old", seen);

    expect(await consumersIn(home)).toEqual({ old: { mode: "ask", token: token("h9") }, new: {} });
    expect((await loadConsumers(home)).unnamed).toBe("old");
  });

  it("tells the later time of use of the same token", async () => {
    const home = temporaryFolder();
    await saveConsumers(home, [record(5)], undefined);
    const seen = await loadConsumers(home);

    await saveConsumers(home, [record(9)], undefined, seen);
    await saveConsumers(home, [record(7)], undefined, seen);

    expect(await consumersIn(home)).toMatchObject({ a: { token: { lastUsedAt: 9 } } });
  });

  it("leaves what it cannot read where it is", async () => {
    const home = temporaryFolder();
    await writeFile(
      join(home, "consumers.json"),
      JSON.stringify({ x: 1, consumers: { odd: 3, a: { y: 2 } } }),
    );
    const seen = await loadConsumers(home);

    await saveConsumers(home, [...seen.records, { name: "b", config: {} }], undefined, seen);

    expect(await consumersIn(home)).toEqual({ odd: 3, a: { y: 2 }, b: {} });
    expect(JSON.parse(await readFile(join(home, "consumers.json"), "utf8"))).toMatchObject({ x: 1 });
  });
});
