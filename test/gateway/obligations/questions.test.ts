import { describe, expect, it } from "vitest";
import { eventually, nextFact } from "../../support.js";
import { answer, behind, modern, modernEvents } from "../rig.js";
import type { Json, Rig } from "../rig.js";
import { Upstream, said } from "../upstream.js";
import type { UpstreamKind } from "../upstream.js";

const kinds: readonly UpstreamKind[] = ["stdio", "http"];
const both = { elicitation: { form: {} }, sampling: {} };
const question = { message: "Which size?", requestedSchema: { type: "object", properties: {} } };
const call = { name: "up__run", arguments: {} };

/** Asks in the middle of each call, and gives the answer as text. */
function asking(kind: UpstreamKind, method = "elicitation/create", params: Json = question): Upstream {
  return new Upstream(kind).on("tools/call", async ({ ask: put }) => {
    const { result, error } = await put(method, params);
    return said(JSON.stringify(result ?? error));
  });
}

/** Asks as 2026-07-28 does: by a result. */
function rounds(most = 1): Upstream {
  return new Upstream("modern").on("tools/call", ({ params }) => {
    const round = Number(params["requestState"] ?? 0);
    if (round >= most) return said(JSON.stringify(params["inputResponses"]));
    const inputRequests = { size: { method: "elicitation/create", params: question } };
    return { resultType: "input_required", inputRequests, requestState: String(round + 1) };
  });
}

function ask(gate: Rig, token: string, params: Json = call, capabilities: Json = both): Promise<Json> {
  return modern(`${gate.url}/mcp`, token, 1, "tools/call", params, { capabilities }).then(answer);
}

const accept = { action: "accept", content: { size: "L" } };

describe("obligations: what servers ask back", () => {
  for (const kind of kinds)
    it(`13: a question of one consumer's call reaches that consumer (${kind})`, async () => {
      const gate = await behind({ up: asking(kind) });
      const [a, b] = await Promise.all(
        ["a", "b"].map((name) => gate.session(gate.consumer(name), "/mcp", { capabilities: both })),
      );
      const quiet = await b!.stream();
      const stream = await a!.open(1, "tools/call", call);
      const asked = await stream.next((each) => each["method"] === "elicitation/create");
      expect(asked["params"]).toMatchObject(question);
      await a!.send({ id: asked["id"], result: accept });

      expect((await stream.answer())["result"].content[0].text).toBe(JSON.stringify(accept));
      expect(quiet.messages).toEqual([]);
      quiet.cut();
    });

  it("13: over HTTP it is the consumer on whose stream it came, however many have calls there", async () => {
    const gate = await behind({ up: asking("http") });
    const sessions = await Promise.all(
      ["a", "b"].map((name) => gate.session(gate.consumer(name), "/mcp", { capabilities: both })),
    );
    await Promise.all(
      sessions.map(async (session, who) => {
        const stream = await session.open(who, "tools/call", call);
        const asked = await stream.next((each) => each["method"] === "elicitation/create");
        const mine = { action: "accept", content: { who } };
        await session.send({ id: asked["id"], result: mine });
        expect((await stream.answer())["result"].content[0].text).toBe(JSON.stringify(mine));
        expect(stream.told("elicitation/create")).toHaveLength(1);
      }),
    );
  });

  it("13: over stdio with calls of two consumers it is refused and told, never guessed", async () => {
    let begun = 0;
    let both2: (() => void) | undefined;
    const twoAtWork = new Promise<void>((resolve) => (both2 = resolve));
    const up = new Upstream("stdio").on("tools/call", async ({ ask: put }) => {
      if (++begun === 2) both2?.();
      await twoAtWork;
      const { error } = await put("elicitation/create", question);
      return said(JSON.stringify(error ?? "was answered"));
    });
    const gate = await behind({ up });
    const sessions = await Promise.all(
      ["a", "b"].map((name) => gate.session(gate.consumer(name), "/mcp", { capabilities: both })),
    );
    const fact = nextFact(gate.supervisor, "mcp.log", (each) => each.message.includes("was refused"));
    const answers = await Promise.all(sessions.map((session) => session.ask(1, "tools/call", call)));

    expect(answers.map((each) => JSON.parse(each["result"].content[0].text).code)).toContain(-32_601);
    expect((await fact).id).toBe("up");
  });

  it("14: a consumer without the capability is not asked, for every subset of them", async () => {
    const methods: [string, Json, Json][] = [
      ["elicitation/create", question, { elicitation: {} }],
      [
        "elicitation/create",
        { mode: "url", message: "m", url: "https://a.test", elicitationId: "1" },
        { elicitation: { url: {} } },
      ],
      ["sampling/createMessage", { messages: [], maxTokens: 1 }, { sampling: {} }],
    ];
    const subsets = [{}, { elicitation: {} }, { elicitation: { url: {} } }, { sampling: {} }];
    let put: [string, Json] = ["", {}];
    const up = new Upstream("http").on("tools/call", async ({ ask: ask2 }) => {
      const { result, error } = await ask2(...put);
      return said(JSON.stringify(result ?? error));
    });
    const gate = await behind({ up });
    const tokens = subsets.map((_, at) => gate.consumer(`c${at}`));
    for (const [method, params, needed] of methods)
      for (const [at, capabilities] of subsets.entries()) {
        put = [method, params];
        const can = JSON.stringify(capabilities) === JSON.stringify(needed);
        const session = await gate.session(tokens[at]!, "/mcp", { capabilities });
        const stream = await session.open(1, "tools/call", call);
        if (can) {
          const asked = await stream.next((each) => each["method"] === method);
          await session.send({ id: asked["id"], result: { action: "cancel" } });
        }
        const said2 = JSON.parse((await stream.answer())["result"].content[0].text);
        expect([method, capabilities, said2.code]).toEqual([method, capabilities, can ? undefined : -32_601]);
        expect(stream.told(method)).toHaveLength(can ? 1 : 0);
      }
  });

  it("14: a modern server sees the capabilities of the consumer, mirrored per request", async () => {
    const up = new Upstream("modern").on("tools/call", ({ meta }) =>
      said(JSON.stringify(meta["io.modelcontextprotocol/clientCapabilities"])),
    );
    const gate = await behind({ up });
    const token = gate.consumer("a");
    for (const capabilities of [{}, { sampling: {} }, { elicitation: { form: {} }, sampling: {} }]) {
      const got = await ask(gate, token, call, { ...capabilities, experimental: { secret: {} } });
      const { extensions, ...seen } = JSON.parse(got["result"].content[0].text) as Json;
      expect(seen).toEqual(capabilities);
      // Tasks are carried out behind the call.
      expect(Object.keys(extensions)).toEqual(["io.modelcontextprotocol/tasks"]);
    }
    up.on("tools/call", () => ({ error: { code: -32_021, message: "elicitation is needed" } }));
    const refused = await modern(`${gate.url}/mcp`, token, 1, "tools/call", call);
    expect(refused.status).toBe(400);
    expect((await answer(refused))["error"].code).toBe(-32_021);
  });

  it("15: legacy consumer, legacy server: the question goes through as it is", async () => {
    const gate = await behind({
      up: asking("stdio", "sampling/createMessage", { messages: [], maxTokens: 3 }),
    });
    const session = await gate.session(gate.consumer("a"), "/mcp", { capabilities: both });
    const stream = await session.open(1, "tools/call", call);
    const asked = await stream.next((each) => each["method"] === "sampling/createMessage");
    await session.send({ id: asked["id"], error: { code: -1, message: "User rejected" } });
    expect((await stream.answer())["result"].content[0].text).toContain("User rejected");
  });

  it("15: legacy consumer, modern server: the round is asked as a request", async () => {
    const gate = await behind({ up: rounds(2) });
    const session = await gate.session(gate.consumer("a"), "/mcp", { capabilities: both });
    const stream = await session.open(1, "tools/call", call);
    for (const nth of [0, 1]) {
      await eventually(() => stream.told("elicitation/create").length > nth, "the question");
      await session.send({ id: stream.told("elicitation/create")[nth]!["id"], result: accept });
    }
    expect((await stream.answer())["result"]).toEqual({
      content: [{ type: "text", text: JSON.stringify({ size: accept }) }],
    });
  });

  it("15: modern consumer, modern server: relayed, with a state that only its own retry redeems", async () => {
    const gate = await behind({ up: rounds() });
    const [token, other] = [gate.consumer("a"), gate.consumer("b")];
    const first = (await ask(gate, token))["result"];
    expect(first).toMatchObject({ resultType: "input_required", inputRequests: { size: {} } });
    const retry = { requestState: first.requestState, inputResponses: { size: accept } };

    for (const [who, params] of [
      [other, { ...call, ...retry }],
      [token, { ...call, arguments: { other: 1 }, ...retry }],
      [token, { ...call, ...retry, requestState: "1" }],
      [token, { ...call, ...retry, requestState: `${String(first.requestState).slice(0, -2)}AA` }],
    ] as const)
      expect((await ask(gate, who, params))["error"].code).toBe(-32_602);
    const done = (await ask(gate, token, { ...call, ...retry }))["result"];
    expect(done.content[0].text).toBe(JSON.stringify({ size: accept }));
  });

  it("15: modern consumer, legacy server: the call is parked, and each state is redeemed once", async () => {
    const up = new Upstream("stdio").on("tools/call", async ({ ask: put }) => {
      const one = await put("elicitation/create", question);
      const two = await put("elicitation/create", { ...question, message: "And the colour?" });
      return said(JSON.stringify([one["result"], two["result"]]));
    });
    const gate = await behind({ up });
    const [token, other] = [gate.consumer("a"), gate.consumer("b")];
    const first = (await ask(gate, token))["result"];
    const [key] = Object.keys(first.inputRequests);
    const retry = { ...call, requestState: first.requestState, inputResponses: { [key!]: accept } };

    expect((await ask(gate, other, retry))["error"].code).toBe(-32_602);
    expect(gate.gateway.figures().parked).toBe(1);
    const second = (await ask(gate, token, retry))["result"];
    expect(second.resultType).toBe("input_required");
    expect((await ask(gate, token, retry))["error"].code).toBe(-32_602);
    const [key2] = Object.keys(second.inputRequests);
    const done = await ask(gate, token, {
      ...call,
      requestState: second.requestState,
      inputResponses: { [key2!]: { action: "decline" } },
    });
    expect(JSON.parse(done["result"].content[0].text)).toEqual([accept, { action: "decline" }]);
    expect(up.calls("tools/call")).toHaveLength(1);
    expect(gate.gateway.figures().parked).toBe(0);
  });

  it("15: what never stops asking ends after ten rounds", async () => {
    const gate = await behind({ up: rounds(1000) });
    const token = gate.consumer("a");
    let got = await ask(gate, token);
    let count = 0;
    while (got["result"]?.resultType === "input_required" && count < 20) {
      count++;
      const { requestState } = got["result"];
      got = await ask(gate, token, { ...call, requestState, inputResponses: { size: accept } });
    }
    expect(count).toBe(10);
    expect(got["error"].message).toContain("10 times");
  });

  it("16: parked calls are bounded per consumer, and end as cancelled with it", async () => {
    const up = new Upstream("stdio").on("tools/call", async ({ ask: put }) => {
      await put("elicitation/create", question);
      return said("done");
    });
    const gate = await behind({ up });
    const token = gate.consumer("a", { limits: { parked: 3 } });
    const states = [];
    for (let nth = 0; nth < 3; nth++)
      states.push((await ask(gate, token, { ...call, arguments: { nth } }))["result"]);
    expect(states.every((each) => each.resultType === "input_required")).toBe(true);
    expect(gate.gateway.figures().parked).toBe(3);

    const refused = await ask(gate, token, { ...call, arguments: { nth: 3 } });
    expect(refused["error"].code).toBe(-32_000);
    await eventually(() => up.cancelled.length === 1, "the refused call is cancelled upstream");
    gate.gateway.consumers.remove("a");
    expect(gate.gateway.figures().parked).toBe(0);
    await eventually(() => up.cancelled.length === 4, "all are cancelled upstream");
  });

  it("16: a parked call that waits for a cut consumer is still good for its retry", async () => {
    const gate = await behind({ up: asking("stdio") });
    const token = gate.consumer("a");
    const stream = await modernEvents(`${gate.url}/mcp`, token, 1, "tools/call", call, {
      capabilities: both,
    });
    const { requestState, inputRequests } = (await stream.answer())["result"];
    stream.cut();
    const [key] = Object.keys(inputRequests);
    const done = await ask(gate, token, { ...call, requestState, inputResponses: { [key!]: accept } });
    expect(done["result"].content[0].text).toBe(JSON.stringify(accept));
  });
});
