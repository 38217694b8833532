import { describe, expect, it } from "vitest";
import { gatewayTitle } from "../../src/index.js";
import { eventually, lives, nextFact, running, scripted, temporaryFolder } from "../support.js";
import { behind, post, rigOver } from "./rig.js";
import type { HandSession, Json, Rig } from "./rig.js";
import { Upstream, said } from "./upstream.js";

const both = { elicitation: { form: {} } };
const question = { message: "Which size?", requestedSchema: { type: "object", properties: {} } };
const call = { name: "up__run", arguments: {} };

function open(gate: Rig, ...names: string[]): Promise<HandSession[]> {
  return Promise.all(names.map((name) => gate.session(gate.consumer(name), "/mcp", { capabilities: both })));
}

/** Asks in each call; one that is to be `together` does so when another is at work, too. */
function asking(): Upstream {
  const waiting: (() => void)[] = [];
  return new Upstream("stdio").on("tools/call", async ({ ask, params }) => {
    if (params["arguments"].together === true) {
      const two = new Promise<void>((resolve) => waiting.push(resolve));
      if (waiting.length === 2) for (const resolve of waiting.splice(0)) resolve();
      await two;
    }
    const { result, error } = await ask("elicitation/create", question);
    return said(JSON.stringify(result ?? error));
  });
}

async function answered(session: HandSession, who: string): Promise<string> {
  const stream = await session.open(who, "tools/call", call);
  const asked = await stream.next((each) => each["method"] === "elicitation/create");
  await session.send({ id: asked["id"], result: { action: "accept", content: { who } } });
  return String((await stream.answer())["result"].content[0].text);
}

async function pid(session: HandSession): Promise<number> {
  return Number((await session.ask(1, "tools/call", { name: "up__pid" }))["result"].content[0].text);
}

describe("sharing of one server among consumers", () => {
  it("auto: after a question that could be anybody's they take turns, and each is asked its own", async () => {
    const up = asking();
    const gate = await behind({ up });
    const [a, b] = await open(gate, "a", "b");
    const together = { ...call, arguments: { together: true } };
    const told = nextFact(gate.supervisor, "mcp.log", (each) => each.message.includes("in turns"));
    await Promise.all([a!.ask(1, "tools/call", together), b!.ask(1, "tools/call", together)]);
    await told;

    const said2 = await Promise.all([a, b, a, b].map((session, at) => answered(session!, `${at}`)));
    expect(said2.map((text) => JSON.parse(text).content.who)).toEqual(["0", "1", "2", "3"]);
  });

  it("auto: two sessions of one consumer are two to be asked", async () => {
    const up = asking();
    const gate = await behind({ up });
    const token = gate.consumer("a");
    const [one, two] = await Promise.all(
      [1, 2].map(() => gate.session(token, "/mcp", { capabilities: both })),
    );
    const together = { ...call, arguments: { together: true } };
    const told = nextFact(gate.supervisor, "mcp.log", (each) => each.message.includes("in turns"));
    await Promise.all([one!.ask(1, "tools/call", together), two!.ask(1, "tools/call", together)]);
    await told;

    const said2 = await Promise.all([one, two, one, two].map((session, at) => answered(session!, `${at}`)));
    expect(said2.map((text) => JSON.parse(text).content.who)).toEqual(["0", "1", "2", "3"]);
  });

  it("shared: it is never given to one at a time", async () => {
    const up = asking();
    const gate = await behind({ up }, {}, {}, { sharing: "shared" });
    const [a, b] = await open(gate, "a", "b");
    const together = { ...call, arguments: { together: true } };
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all([a!, b!].map((each) => each.ask(round, "tools/call", together)));
      expect(answers.some((each) => each["result"].content[0].text.includes("-32601"))).toBe(true);
    }
  });

  it("consumer: each has a process of its own, which no list shows, and which ends when the fleet does", async () => {
    const home = temporaryFolder();
    const server = scripted("up", "scripted.mjs", ["--tools=pid,echo"], { sharing: "consumer" });
    const supervisor = await running([server], { home, consumers: true });
    const gate = await rigOver(supervisor);
    const [a, b] = await open(gate, "a", "b");
    const pids = [await pid(a!), await pid(b!), await pid(a!)];

    expect(pids[0]).toBe(pids[2]);
    expect(pids[0]).not.toBe(pids[1]);
    expect(pids).not.toContain(Number((await supervisor.callTool("mcp_up_pid")).text));
    expect(supervisor.servers().map(({ id }) => id)).toEqual(["up", "up@a", "up@b"]);
    expect(supervisor.tools().map(({ name }) => name)).toEqual(["mcp_up_echo", "mcp_up_pid"]);
    const names = (await a!.ask(1, "tools/list"))["result"].tools.map((each: Json) => each["name"] as string);
    expect(names).toEqual(["up__echo", "up__pid"]);
    await supervisor.stop();
    for (const each of pids) expect(await lives(each)).toBe(false);
  });

  it("consumer: questions, resources and updates are those of its own life", async () => {
    const up: Upstream = new Upstream("stdio", { tools: {}, resources: { subscribe: true } })
      .list("resources", [{ uri: "note://1", name: "one" }])
      .on("resources/read", () => ({ contents: [{ uri: "note://1", text: String(up.lives) }] }))
      .on("resources/subscribe", () => ({}))
      .on("tools/call", async ({ ask }) => {
        const { result } = await ask("elicitation/create", question);
        return said(JSON.stringify(result));
      });
    const gate = await behind({ up }, {}, {}, { sharing: "consumer" });
    const sessions = await open(gate, "a", "b");
    await eventually(
      async () => (await sessions[0]!.ask(1, "resources/list"))["result"].resources.length === 1,
      "it",
    );
    const answers = await Promise.all(sessions.map((session, at) => answered(session, `${at}`)));
    expect(answers.map((text) => JSON.parse(text).content.who)).toEqual(["0", "1"]);
    expect(up.lives).toBe(3);
    for (const session of sessions)
      expect((await session.ask(2, "resources/read", { uri: "note://1" }))["result"].contents).toHaveLength(
        1,
      );
    expect(up.lives).toBe(3);
  });

  it("refuses itself as a server, and a request that has gone round", async () => {
    const up = new Upstream("stdio").on("tools/call", ({ meta }) => said(meta["mcpvisor/hops"]));
    const gate = await behind({ up });
    const token = gate.consumer("self");
    const headers = { Authorization: `Bearer ${token}` };
    const greeting = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "mcpvisor", title: gatewayTitle(gate.supervisor), version: "1" },
    };
    const greeted = await post(`${gate.url}/mcp`, token, { id: 1, method: "initialize", params: greeting });
    expect(await greeted.text()).toContain("cannot be one of its own servers");
    for (const protocolVersion of ["2025-11-25", "2026-07-28"]) {
      const config = { id: "self", url: `${gate.url}/mcp`, headers, protocolVersion };
      await gate.supervisor.saveServer(config).catch(() => undefined);
      const status = await gate.supervisor.server("self")?.connect();
      expect(status?.state).not.toBe("ready");
      expect(gate.supervisor.tools().map(({ server }) => server)).toEqual(["up"]);
    }
    const session = await gate.session(gate.consumer("a"));
    const sent = async (hops: number) =>
      session.ask(1, "tools/call", { ...call, _meta: { "mcpvisor/hops": hops } });
    expect((await sent(2))["result"].content[0].text).toBe("3");
    expect((await sent(8))["error"].message).toContain("loop");
  });
});
