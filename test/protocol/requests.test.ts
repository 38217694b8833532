import { describe, expect, it } from "vitest";
import { behalfMeta, behalfRetry } from "../../src/protocol/behalf.js";
import { ownerOf } from "../../src/protocol/behalfOwner.js";
import { changeFilter } from "../../src/protocol/changes.js";
import { answerText, legacyCodec, metaOf } from "../../src/protocol/codec.js";
import { modernCodec } from "../../src/protocol/modernCodec.js";
import { headerValue, nameHeader } from "../../src/protocol/requestHeaders.js";

const meta = "io.modelcontextprotocol";
const identity = {
  info: { name: "host", version: "1" },
  capabilities: { sampling: {} },
  own: { roots: {} },
};
const parsed = (text: string): unknown => JSON.parse(text) as unknown;

describe("requests of the older revisions", () => {
  const codec = legacyCodec("2025-11-25");

  it("carry params and a progress token only where there are any, beside the meta that was there", () => {
    expect([codec.revision, codec.modern]).toEqual(["2025-11-25", false]);
    expect(codec.request(1, "ping", undefined, false)).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(parsed(codec.request("a", "x", { b: 1 }, false))).toEqual({
      jsonrpc: "2.0",
      id: "a",
      method: "x",
      params: { b: 1 },
    });
    expect(parsed(codec.request(2, "x", { b: 1, _meta: { c: 3 } }, true))).toMatchObject({
      params: { b: 1, _meta: { c: 3, progressToken: 2 } },
    });
    expect(parsed(codec.request(2, "x", undefined, true))).toMatchObject({
      params: { _meta: { progressToken: 2 } },
    });
    expect(codec.notification("n", undefined)).toBe('{"jsonrpc":"2.0","method":"n"}');
    expect(codec.notification("n", {})).toBe('{"jsonrpc":"2.0","method":"n","params":{}}');
  });

  it("are calls with every part in its place", () => {
    const plain = { name: "a", arguments: { b: 1 } };
    expect(parsed(codec.call(7, '"a"', '{"b":1}', "", ""))).toEqual({
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { ...plain, _meta: { progressToken: 7 } },
    });
    expect(parsed(codec.call(7, '"a"', '{"b":1}', '"task":{},', '"c":3,'))).toMatchObject({
      params: { ...plain, task: {}, _meta: { c: 3, progressToken: 7 } },
    });
    const quiet = { capabilitiesJson: "{}", progress: false };
    expect(parsed(codec.call(7, '"a"', '{"b":1}', "", "", quiet))).toHaveProperty("params", plain);
    expect(parsed(codec.call(7, '"a"', '{"b":1}', '"task":{},', '"c":3,', quiet))).toHaveProperty("params", {
      ...plain,
      task: {},
      _meta: { c: 3 },
    });
    const loud = { capabilitiesJson: "{}", progress: true };
    expect(parsed(codec.call(7, '"a"', '{"b":1}', "", "", loud))).toHaveProperty("params._meta", {
      progressToken: 7,
    });
  });

  it.each([
    [undefined, {}],
    [{}, {}],
    [{ _meta: null }, {}],
    [{ _meta: "a" }, {}],
    [{ _meta: { a: 1 } }, { a: 1 }],
  ])("take the meta of %j for %j", (params, expected) => {
    expect(metaOf(params)).toEqual(expected);
  });

  it("are answered with a result or an error", () => {
    expect(parsed(answerText(1, { result: {} }))).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(parsed(answerText("a", { error: { code: 1, message: "m" } }))).toEqual({
      jsonrpc: "2.0",
      id: "a",
      error: { code: 1, message: "m" },
    });
  });
});

describe("requests of 2026-07-28", () => {
  const who = { [`${meta}/protocolVersion`]: "2026-07-28", [`${meta}/clientInfo`]: identity.info };
  const ours = {
    ...who,
    [`${meta}/clientCapabilities`]: { roots: {}, extensions: { [`${meta}/tasks`]: {} } },
  };
  const codec = modernCodec("2026-07-28", identity);

  it("say in each who asks, in which revision, and what we can do", () => {
    expect([codec.revision, codec.modern]).toEqual(["2026-07-28", true]);
    expect(parsed(codec.request(1, "x", undefined, false))).toHaveProperty("params", { _meta: ours });
    expect(parsed(codec.request(1, "x", { a: 1, _meta: { b: 2 } }, true))).toHaveProperty("params", {
      a: 1,
      _meta: { ...ours, b: 2, progressToken: 1 },
    });
    const { own: _own, ...others } = identity;
    expect(parsed(modernCodec("2026-07-28", others).request(1, "x", undefined, false))).toHaveProperty(
      ["params", "_meta", `${meta}/clientCapabilities`],
      { sampling: {}, extensions: { [`${meta}/tasks`]: {} } },
    );
    expect(
      parsed(modernCodec("2026-07-28", identity, "debug").request(1, "x", undefined, false)),
    ).toHaveProperty(["params", "_meta", `${meta}/logLevel`], "debug");
    expect(codec.notification("n", undefined)).toBe('{"jsonrpc":"2.0","method":"n"}');
  });

  it("are calls with every part in its place, in our voice or in a consumer's", () => {
    expect(parsed(codec.call(7, '"a"', '{"b":1}', '"x":1,', '"c":3,'))).toHaveProperty("params", {
      name: "a",
      arguments: { b: 1 },
      x: 1,
      _meta: { ...ours, c: 3, progressToken: 7 },
    });
    for (const progress of [true, false]) {
      const voice = { capabilitiesJson: '{"elicitation":{}}', progress };
      expect(parsed(codec.call(7, '"a"', "{}", "", '"c":3,', voice))).toHaveProperty("params._meta", {
        ...who,
        c: 3,
        [`${meta}/clientCapabilities`]: { elicitation: {} },
        ...(progress ? { progressToken: 7 } : {}),
      });
    }
  });

  it.each([
    ["tools/call", { name: "a" }, "a"],
    ["prompts/get", { name: "a" }, "a"],
    ["resources/read", { uri: "b:c" }, "b:c"],
    ["tasks/get", { taskId: "t" }, "t"],
    ["tasks/update", { taskId: "t" }, "t"],
    ["tasks/cancel", { taskId: "t" }, "t"],
    ["tools/list", { name: "a" }, undefined],
    ["tools/call", { name: 7 }, undefined],
    ["tools/call", {}, undefined],
    ["tools/call", undefined, undefined],
  ])("name what %s with %j is about: %s", (method, params, value) => {
    expect(nameHeader(method, params)).toEqual(value === undefined ? undefined : { "mcp-name": value });
  });

  it.each([
    ["plain ASCII ~!", "plain ASCII ~!"],
    ["", "=?base64??="],
    [" a", "=?base64?IGE=?="],
    ["a ", "=?base64?YSA=?="],
    ["ä", "=?base64?w6Q=?="],
    ["a\nb", "=?base64?YQpi?="],
    ["\u007f", "=?base64?fw==?="],
    ["=?base64?x?=", `=?base64?${btoa("=?base64?x?=")}?=`],
    ["=?base64?x", "=?base64?x"],
    ["x?=", "x?="],
  ])("write %j into a header as %s", (text, value) => {
    expect(headerValue(text)).toBe(value);
  });
});

describe("what a call carries for a consumer", () => {
  const consumer = { consumer: "a" };

  it("is its meta, and a log level where the revision has one", () => {
    const full = { ...consumer, meta: { trace: "1" }, logLevel: "info" };
    expect(behalfMeta(consumer, true)).toBe("");
    expect(behalfMeta(full, false)).toBe('"trace":"1",');
    expect(behalfMeta(full, true)).toBe(`"trace":"1","${meta}/logLevel":"info",`);
    expect(behalfMeta({ ...consumer, meta: {} }, true)).toBe("");
  });

  it("is what a retried request has to carry", () => {
    expect(behalfRetry(consumer)).toBe("");
    expect(behalfRetry({ ...consumer, retry: {} })).toBe("");
    expect(behalfRetry({ ...consumer, retry: { requestState: "s" } })).toBe('"requestState":"s",');
  });
});

const call = (behalf?: { consumer: string; session?: string }) => ({ method: "tools/call", behalf });

describe("whose a message without a request is", () => {
  const a = { consumer: "a" };
  const b = { consumer: "b" };
  const first = { consumer: "a", session: "1" };
  const second = { consumer: "a", session: "2" };
  it.each<[string, ReturnType<typeof call> | undefined, ReturnType<typeof call>[], unknown]>([
    ["of the request on whose stream it came", call(a), [call(b)], a],
    ["of the host on whose stream it came", call(), [call(b)], undefined],
    ["the host's where nothing is open", undefined, [], undefined],
    ["the host's where only its own requests are", undefined, [call(), call()], undefined],
    ["the only consumer's", undefined, [call(a)], a],
    ["the only consumer's, of several requests", undefined, [call(a), call({ ...a })], a],
    [
      "the only consumer's, beside what listens and pings",
      undefined,
      [{ ...call(b), method: "ping" }, { ...call(b), method: "subscriptions/listen" }, call(a)],
      a,
    ],
    ["nobody's of two consumers", undefined, [call(a), call(b)], "nobody knows"],
    ["the consumer's beside lists of the host", undefined, [{ ...call(), method: "tools/list" }, call(a)], a],
    ["nobody's of a consumer and the host", undefined, [call(), call(a)], "nobody knows"],
    ["the only session's", undefined, [call(first), call({ ...first })], first],
    ["nobody's of two sessions of one consumer", undefined, [call(first), call(second)], "nobody knows"],
  ])("is %s", (_, about, open, owner) => {
    expect(ownerOf(about, open)).toEqual(owner);
  });
});

describe("the changes to listen for", () => {
  it.each([
    [{}, [], undefined],
    [{ tools: {} }, [], undefined],
    [{ tools: { listChanged: "true" }, prompts: true }, [], undefined],
    [{ tools: { listChanged: true } }, [], { toolsListChanged: true }],
    [{ prompts: { listChanged: true } }, [], { promptsListChanged: true }],
    [{ resources: { listChanged: true } }, [], { resourcesListChanged: true }],
    [{}, ["a:b"], { resourceSubscriptions: ["a:b"] }],
  ])("of a server with %j and the resources %j are %j", (capabilities, resources, filter) => {
    expect(changeFilter(capabilities, resources)).toEqual(filter);
    expect(changeFilter(capabilities) === undefined).toBe(
      Object.keys(filter ?? {}).join() === "resourceSubscriptions" || filter === undefined,
    );
  });
});
