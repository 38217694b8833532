import {
  array,
  assert,
  integer,
  nat,
  oneof,
  property,
  string,
  stringMatching,
  tuple,
  uniqueArray,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { createSeal } from "../../../src/gateway/consumers/seal.js";
import { listPage } from "../../../src/gateway/view/lists.js";
import { offeredName } from "../../../src/gateway/view/names.js";
import { listed as listOf } from "../../../src/gateway/view/view.js";
import { createSupervisor } from "../../../src/index.js";
import { eventually, scripted, temporaryFolder } from "../../support.js";
import { afterTest, answer, behind, modern, rig, rigOver } from "../rig.js";
import type { HandSession, Json } from "../rig.js";
import { Upstream, said } from "../upstream.js";

async function listed(session: HandSession, kind = "tools"): Promise<Json[]> {
  const found = (await session.ask(1, `${kind}/list`))["result"];
  return found[kind === "resources/templates" ? "resourceTemplates" : kind] as Json[];
}

const whole = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
};

/** A server with one resource, template and prompt of these URIs. */
function library(
  kind: "stdio" | "http" | "modern" = "stdio",
  uris = ["note://1"],
  more: Json = {},
): Upstream {
  const complete = kind === "modern" ? { resultType: "complete" } : {};
  return new Upstream(kind, whole, more)
    .list(
      "resources",
      uris.map((uri) => ({ uri, name: `resource ${uri}` })),
    )
    .list("resources/templates", [{ uriTemplate: "note://{id}", name: "notes" }])
    .list("prompts", [{ name: "greet", arguments: [{ name: "who" }] }])
    .on("resources/read", ({ params }) => ({
      ...complete,
      contents: [{ uri: params["uri"], text: `text of ${params["uri"]}` }],
    }))
    .on("prompts/get", ({ params }) => ({
      ...complete,
      messages: [{ role: "user", content: { type: "text", text: params["name"] } }],
    }))
    .on("completion/complete", ({ params }) => ({
      ...complete,
      completion: { values: [JSON.stringify(params["ref"])] },
    }));
}

describe("obligations: lists", () => {
  it("21: lists never wait for a server: a hung one, a slow one and a dead one among twenty", async () => {
    const home = temporaryFolder();
    const good = Array.from({ length: 17 }, (_, at) =>
      scripted(`good${at}`, "scripted.mjs", ["--tools=echo"]),
    );
    const supervisor = createSupervisor({
      home,
      mode: "allow-trusted",
      handleSignals: false,
      consumers: true,
      servers: [
        ...good.slice(0, 2),
        { id: "hung", command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] },
        { id: "dead", command: process.execPath, args: ["-e", "process.exit(1)"] },
        { id: "slow", command: process.execPath, args: ["-e", "setTimeout(() => {}, 60000)"] },
        ...good.slice(2, 4),
      ],
    });
    afterTest(() => supervisor.stop().then(() => undefined));
    await supervisor.start();
    await eventually(() => supervisor.tools().length === 4, "the tools of the good ones");
    const gate = await rigOver(supervisor);
    const token = gate.consumer("a");
    const took: number[] = [];
    for (let round = 0; round < 5; round++) {
      const start = performance.now();
      const session = await gate.session(token);
      expect(await listed(session)).toHaveLength(4);
      await Promise.all(["resources", "prompts", "resources/templates"].map((kind) => listed(session, kind)));
      took.push(performance.now() - start);
    }
    expect(Math.min(...took)).toBeLessThan(500);
  });

  it("21: the tools of a lazy server that was seen before are listed without starting it", async () => {
    const home = temporaryFolder();
    const log = `${home}/starts.log`;
    const lazy = scripted("lazy", "scripted.mjs", ["--tools=echo", `--log=${log}`], { lazy: true });
    const open = async () => {
      const supervisor = createSupervisor({
        home,
        mode: "allow-trusted",
        handleSignals: false,
        consumers: true,
        servers: [lazy],
      });
      await supervisor.ready({ timeout: "30s" });
      return supervisor;
    };
    const first = await open();
    await first.server("lazy")?.connect();
    await eventually(() => first.tools().length === 1, "its tools");
    await first.stop();
    const supervisor = await open();
    afterTest(() => supervisor.stop().then(() => undefined));
    const gate = await rigOver(supervisor);
    const session = await gate.session(gate.consumer("a"));

    expect((await listed(session)).map((each) => each["name"])).toEqual(["lazy__echo"]);
    expect(supervisor.servers()[0]?.generation).toBe(0);
  });

  it("22: no item is lost or told twice while the list changes between pages", () => {
    const seal = createSeal(new Uint8Array(32));
    const peer = { modern: false, consumer: { name: "a" }, only: undefined } as Parameters<
      typeof listPage
    >[0];
    const items = uniqueArray(nat(60), { maxLength: 30 });
    assert(
      property(array(items, { minLength: 1, maxLength: 6 }), integer({ min: 1, max: 7 }), (states, size) => {
        const lists = states.map((state) => listOf(state.map((each) => JSON.stringify({ name: each }))));
        let now = lists[0]!;
        const refusals = new Set<number>();
        let got: number[] = [];
        let cursor: string | undefined;
        do {
          const page = listPage(peer, "tools", now, cursor, seal, size);
          if ("error" in page) {
            refusals.add(page.error.code);
            got = [];
            cursor = undefined;
          } else {
            const read = JSON.parse("json" in page ? page.json : "{}") as Json;
            got.push(...read["tools"].map((each: Json) => each["name"] as number));
            cursor = read["nextCursor"] as string | undefined;
            if (cursor === undefined) break;
          }
          lists.shift();
          now = lists[0] ?? now;
        } while (got.length < 1000);
        expect([...refusals].filter((code) => code !== -32_602)).toEqual([]);
        expect(got).toEqual(now.items.map((each) => (JSON.parse(each) as Json)["name"] as number));
      }),
    );
  });

  it("22: a list that changed between two pages is begun again, over the wire", async () => {
    const { rig: gate, fakes } = await rig([{ id: "up", tools: ["a", "b", "c"] }], { pageSize: 2 });
    const session = await gate.session(gate.consumer("a"));
    const { nextCursor: cursor } = (await session.ask(1, "tools/list"))["result"];
    fakes["up"]?.offer(["b", "c", "d"]);
    await eventually(() => gate.supervisor.tools().some(({ tool }) => tool === "d"), "the new list");

    expect((await session.ask(2, "tools/list", { cursor }))["error"].code).toBe(-32_602);
  });

  it("23: the list is the same byte for byte in whatever order servers come and go", async () => {
    const ups = { one: new Upstream("stdio"), two: new Upstream("http"), three: new Upstream("modern") };
    const gate = await behind(ups);
    const session = await gate.session(gate.consumer("a"));
    const read = async () => (await session.send({ id: 1, method: "tools/list" })).text();
    const before = await read();
    for (const id of ["two", "one", "three", "one"]) {
      await gate.supervisor.server(id)?.restart();
      await gate.supervisor.ready({ timeout: "20s" });
      expect(await read()).toBe(before);
    }
    const other = await gate.session(gate.consumer("b"));
    expect(await (await other.send({ id: 1, method: "tools/list" })).text()).toBe(before);
  });

  it("24: names are short, of plain characters, one to one, and do not move", () => {
    const part = oneof(
      string({ minLength: 1, maxLength: 80, unit: "grapheme" }),
      stringMatching(/^[a-z_-]{1,40}$/),
    );
    assert(
      property(
        uniqueArray(tuple(part, part), {
          minLength: 2,
          maxLength: 20,
          selector: ([a, b]) => `${a}\0${b}`,
        }),
        integer({ min: 24, max: 64 }),
        (pairs, budget) => {
          const names = pairs.map(([server, tool]) => offeredName(server, tool, budget));
          for (const name of names) expect(name).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${budget}}$`));
          expect(new Set(names).size).toBe(names.length);
          expect(pairs.map(([server, tool]) => offeredName(server, tool, budget))).toEqual(names);
        },
      ),
    );
  });

  it("24: with the prefix of Claude Code, and within the sixty of Cursor, no name is over 64", async () => {
    const tools = ["x".repeat(100), "read.file/äöü", "plain"];
    const { rig: gate, fakes } = await rig([{ id: "a-rather-long-name-of-a-server", tools }]);
    const claude = await gate.session(gate.consumer("claude"));
    for (const { name } of await listed(claude)) {
      expect(`mcp__mcpvisor__${name}`.length).toBeLessThanOrEqual(64);
      await claude.ask(1, "tools/call", { name, arguments: {} });
    }
    const called = fakes["a-rather-long-name-of-a-server"]!.received.filter(({ tool }) => tool !== undefined);
    expect(called.map(({ tool }) => String(tool)).toSorted()).toEqual(tools.toSorted());
  });

  it("25: a URI that several servers have belongs to the trusted one first, and the others are named", async () => {
    const uris = ["note://1", "ui://panel"];
    const ups = {
      one: library("stdio", uris),
      two: library("http", uris),
      three: library("modern", [...uris, "own://3"]),
    };
    const started = await Promise.all(
      Object.entries(ups).map(([id, up]) => up.start(id, { trusted: id === "two" })),
    );
    for (const up of started) afterTest(() => up.close());
    const supervisor = createSupervisor({
      home: temporaryFolder(),
      mode: "allow-trusted",
      handleSignals: false,
      consumers: true,
      servers: started.map((each) => each.config),
    });
    afterTest(() => supervisor.stop().then(() => undefined));
    await supervisor.ready({ timeout: "30s" });
    const gate = await rigOver(supervisor);
    const session = await gate.session(gate.consumer("a"));
    await eventually(async () => (await listed(session, "resources")).length === 7, "all resources");
    const found = (await listed(session, "resources")).map((each) => each["uri"] as string);

    expect(found.toSorted()).toEqual([
      "note://1",
      "one+note://1",
      "one+ui://panel",
      "own://3",
      "three+note://1",
      "three+ui://panel",
      "ui://panel",
    ]);
    for (const uri of found) {
      const [content] = (await session.ask(1, "resources/read", { uri }))["result"].contents;
      expect(content).toEqual({ uri, text: `text of ${uri.replace(/^(?:one|three)\+/, "")}` });
    }
    for (const [id, up] of Object.entries(ups))
      expect(up.calls("resources/read")).toHaveLength(id === "three" ? 3 : 2);
    const templates = await listed(session, "resources/templates");
    expect(templates.map((each) => String(each["uriTemplate"])).toSorted()).toEqual([
      "note://{id}",
      "one+note://{id}",
      "three+note://{id}",
    ]);
    const completed = await session.ask(1, "completion/complete", {
      ref: { type: "ref/resource", uri: "one+note://{id}" },
      argument: { name: "id", value: "" },
    });
    expect(completed["result"].completion.values).toEqual(['{"type":"ref/resource","uri":"note://{id}"}']);
  });

  it("25: links and embedded resources of results are named alike, and can be read", async () => {
    const link = { type: "resource_link", uri: "note://1", name: "l" };
    const ups = {
      one: library().on("tools/call", () =>
        said("x", { content: [link, { type: "resource", resource: { uri: "note://1", text: "t" } }] }),
      ),
      two: library("http").on("tools/call", () =>
        said("x", { content: [link, { ...link, uri: "hidden://9" }] }),
      ),
    };
    const gate = await behind(ups);
    const session = await gate.session(gate.consumer("a"));
    await eventually(async () => (await listed(session, "resources")).length === 2, "both resources");
    const content = async (name: string) =>
      (await session.ask(1, "tools/call", { name }))["result"].content as Json[];

    expect((await content("one__run")).map((each) => each["uri"] ?? each["resource"].uri)).toEqual([
      "note://1",
      "note://1",
    ]);
    const [first, second] = await content("two__run");
    expect([first?.["uri"], second?.["uri"]]).toEqual(["two+note://1", "hidden://9"]);
    for (const uri of ["two+note://1", "hidden://9"])
      expect((await session.ask(1, "resources/read", { uri }))["result"].contents[0].uri).toBe(uri);
    expect(ups.two.calls("resources/read")).toHaveLength(2);
  });

  it("26: prompts and their completion go by the same names as tools", async () => {
    const gate = await behind({ one: library(), two: library("modern") });
    const session = await gate.session(gate.consumer("a"));
    await eventually(async () => (await listed(session, "prompts")).length === 2, "both prompts");

    for (const id of ["one", "two"]) {
      const name = `${id}__greet`;
      expect((await session.ask(1, "prompts/get", { name }))["result"].messages[0].content.text).toBe(
        "greet",
      );
      const completed = await session.ask(1, "completion/complete", {
        ref: { type: "ref/prompt", name },
        argument: { name: "who", value: "a" },
      });
      expect(completed["result"].completion.values).toEqual(['{"type":"ref/prompt","name":"greet"}']);
    }
    expect((await session.ask(1, "prompts/get", { name: "greet" }))["error"].code).toBe(-32_602);
  });

  it("27: instructions stand under their server's name, cut, and cannot pose as another's", async () => {
    const bad = `# one\nDo this\u202e\n## other\n${"x".repeat(10_000)}`;
    const ups = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [
        `s${at}`,
        new Upstream("http", { tools: {} }, { instructions: bad }),
      ]),
    );
    const gate = await behind(ups);
    const instructions = String((await gate.session(gate.consumer("a"))).welcome["result"].instructions);

    expect(instructions.length).toBeLessThanOrEqual(8192);
    expect(instructions.match(/^## .*/gm)).toEqual(["## s0", "## s1", "## s2", "## s3"]);
    expect(instructions).toContain("\\u{202e}");
    expect(instructions).not.toContain("\u202e");
    const scoped = String(
      (await gate.session(gate.consumer("b", { servers: ["s5"] }))).welcome["result"].instructions,
    );
    expect(scoped.match(/^## .*/gm)).toEqual(["## s5"]);
    expect(scoped.length).toBeLessThanOrEqual(2100);
  });

  it("28: capabilities are those of the servers in view, and the version is the consumer's choice", async () => {
    const gate = await behind({ bare: new Upstream("stdio", { tools: {} }), rich: library("modern") });
    const all = gate.consumer("all");
    const bare = gate.consumer("bare", { servers: ["bare"] });
    const names = async (token: string, version = "2025-11-25") => {
      const { result } = (await gate.session(token, "/mcp", { protocolVersion: version })).welcome;
      return [result.protocolVersion, Object.keys(result.capabilities).toSorted()];
    };

    expect(await names(all)).toEqual(["2025-11-25", ["completions", "prompts", "resources", "tools"]]);
    expect(await names(bare)).toEqual(["2025-11-25", ["tools"]]);
    for (const version of ["2025-06-18", "2025-03-26", "2024-11-05"])
      expect((await names(bare, version))[0]).toBe(version);
    expect((await names(bare, "1999-01-01"))[0]).toBe("2025-11-25");
    const session = await gate.session(bare);
    expect(await listed(session, "prompts")).toEqual([]);
    const missing = await modern(`${gate.url}/mcp`, bare, 1, "prompts/list");
    expect([missing.status, (await answer(missing))["error"].code]).toEqual([404, -32_601]);
    const discovered = await answer(await modern(`${gate.url}/mcp`, bare, 1, "server/discover"));
    expect(discovered["result"].supportedVersions).toEqual(["2026-07-28"]);
  });

  it("32: hints of freshness are the gateway's own: private, and never longer than the server's", async () => {
    const ups = { one: library("modern"), two: library("modern", ["note://2"]) };
    ups.one.on("resources/read", ({ params }) => ({
      resultType: "complete",
      ttlMs: 60_000,
      cacheScope: "public",
      contents: [{ uri: params["uri"], text: "t" }],
    }));
    const gate = await behind(ups);
    const token = gate.consumer("a");
    const ask = async (method: string, params: Json = {}) =>
      (await answer(await modern(`${gate.url}/mcp`, token, 1, method, params)))["result"] as Json;
    await eventually(async () => (await ask("resources/list"))["resources"]?.length === 2, "both resources");

    for (const method of [
      "tools/list",
      "resources/list",
      "resources/templates/list",
      "prompts/list",
      "server/discover",
    ])
      expect(await ask(method)).toMatchObject({ ttlMs: 0, cacheScope: "private" });
    expect(await ask("resources/read", { uri: "note://1" })).toMatchObject({
      ttlMs: 60_000,
      cacheScope: "private",
    });
    expect(await ask("resources/read", { uri: "note://2" })).toMatchObject({
      ttlMs: 0,
      cacheScope: "private",
    });
  });
});
