import { readFile, writeFile } from "node:fs/promises";
import { assert, asyncProperty, dictionary, jsonValue, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { consumersPath, loadConsumers, openGateway, saveConsumers } from "../../src/gateway/index.js";
import { running, temporaryFolder } from "../support.js";

const sound = { servers: ["files"], tools: { include: ["files/*"] }, mode: "ask", limits: { inFlight: 2 } };
const wrong: Record<string, unknown> = {
  number: 7,
  list: [],
  servers: { servers: "files" },
  patterns: { tools: { include: "files/*" } },
  mode: { mode: "allow" },
  expose: { expose: true },
  budget: { nameBudget: 5 },
  limit: { limits: { inFlight: 0 } },
  unknown: { server: ["files"] },
};

describe("the files of consumers", () => {
  it("takes what is sound, tells what is not, and writes that back as it stood", async () => {
    const home = temporaryFolder();
    await writeFile(
      consumersPath(home),
      JSON.stringify({ unnamed: "none", consumers: { good: sound, ...wrong } }),
    );
    const stored = await loadConsumers(home);
    expect(stored.records.map(({ name }) => name)).toEqual(["good"]);
    expect(stored.problems).toHaveLength(Object.keys(wrong).length);

    const supervisor = await running([], { home, consumers: true });
    const told: string[] = [];
    const gateway = await openGateway(supervisor, { home, onProblem: (text) => told.push(text) });
    gateway.consumers.add("new", {});
    await gateway.close();
    expect(told).toEqual(stored.problems);
    const kept = JSON.parse(await readFile(consumersPath(home), "utf8")) as {
      consumers: Record<string, unknown>;
    };
    expect(kept.consumers).toMatchObject({ good: sound, ...wrong, new: {} });
  });

  it.each([
    ["on", {}, true, 0],
    ["on", { enabled: true }, true, 0],
    ["off", { enabled: false }, false, 0],
    ["off, and says why,", { enabled: "no" }, false, 1],
  ])("is %s with %j in its section", async (_, settings, owns, problems) => {
    const home = temporaryFolder();
    const supervisor = await running([], { home, consumers: true });
    const told: string[] = [];
    const gateway = await openGateway(supervisor, { home, settings, onProblem: (text) => told.push(text) });
    expect([gateway.owns("/mcp"), gateway.owns("/mcp/s/files"), told.length]).toEqual([owns, owns, problems]);
    gateway.consumers.add("claude", {});
    await gateway.close();
    expect((await loadConsumers(home)).records.map(({ name }) => name)).toEqual(["claude"]);
  });

  it("lets a consumer of settings.json win, with the token that was made for it", async () => {
    const home = temporaryFolder();
    const supervisor = await running([], { home, consumers: true });
    const open = (settings?: unknown, told: string[] = []) =>
      openGateway(supervisor, { home, settings, onProblem: (text) => told.push(text) });
    const first = await open();
    const added = first.consumers.add("claude", { servers: ["files", "mail"] });
    const token = "token" in added ? (added.token ?? "") : "";
    await first.close();

    const narrowed = await open({ consumers: { claude: { servers: ["files"] } } });
    expect(narrowed.consumers.byToken(token)?.scope.sees("mail")).toBe(false);
    expect(narrowed.consumers.byToken(token)?.scope.sees("files")).toBe(true);
    await narrowed.close();
    const told: string[] = [];
    const broken = await open({ consumers: { claude: { servers: "files" } } }, told);
    expect(broken.consumers.byToken(token)).toBeUndefined();
    expect(told.join()).toContain("gateway.consumers.claude servers is no list");
    await broken.close();
  });

  it("never fails at a file of any JSON, and never lets in by what it could not read", async () => {
    const home = temporaryFolder();
    await assert(
      asyncProperty(dictionary(string(), jsonValue()), async (consumers) => {
        await writeFile(consumersPath(home), JSON.stringify({ consumers }));
        const { records, broken, problems } = await loadConsumers(home);
        expect(records.length + Object.keys(broken).length).toBe(Object.keys(consumers).length);
        expect(problems.length).toBe(Object.keys(broken).length);
        await saveConsumers(home, records, undefined, { records, unnamed: undefined });
        expect((await loadConsumers(home)).records).toEqual(records);
      }),
      { numRuns: 60 },
    );
  });
});
