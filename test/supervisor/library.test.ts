import { describe, expect, it } from "vitest";
import type { ServerHandle, Supervisor } from "../../src/index.js";
import { eventually, running, scripted } from "../support.js";

async function librarian(...flags: string[]): Promise<{ supervisor: Supervisor; server: ServerHandle }> {
  const supervisor = await running([scripted("lib", "librarian.mjs", flags, { restart: "eager" })]);
  const server = supervisor.server("lib");
  if (server === undefined) throw new Error("no server");
  return { supervisor, server };
}

const asked = async (supervisor: Supervisor): Promise<string[]> =>
  (await supervisor.callTool("mcp_lib_seen", {})).text.split(" ").slice(2);

describe("resources", () => {
  it("are listed over all pages, without the broken ones", async () => {
    const { server } = await librarian();

    expect(await server.listResources()).toEqual({
      ok: true,
      value: [
        { uri: "note://1", name: "One" },
        { uri: "note://2", name: "Two", mimeType: "text/plain" },
      ],
      warnings: [],
    });
    expect(await server.listResourceTemplates()).toMatchObject({
      ok: true,
      value: [{ uriTemplate: "note://{id}", name: "Note" }],
    });
  });

  it("are read", async () => {
    const { server } = await librarian();

    expect(await server.readResource("note://2")).toEqual({
      ok: true,
      value: [{ uri: "note://2", text: "text of note://2" }],
      warnings: [],
    });
  });

  it("are kept until the server tells a change, if it tells changes", async () => {
    const { supervisor, server } = await librarian("--changes");

    await server.listResources();
    await server.listResources();
    expect(await asked(supervisor)).toEqual(["resources/list", "resources/list"]);

    await supervisor.callTool("mcp_lib_change", {});
    await server.listResources();
    expect(await asked(supervisor)).toHaveLength(4);
  });

  it("tell their changes to who subscribed, over a restart, until they no longer want to know", async () => {
    const { supervisor, server } = await librarian();
    const changes: string[] = [];
    const subscribed = await server.subscribeResource("note://1", (uri) => changes.push(uri));
    if (!subscribed.ok) throw new Error(subscribed.failure.message);

    await supervisor.callTool("mcp_lib_touch", {});
    await eventually(() => changes.length === 1, "the change is told");
    await server.restart();
    await eventually(
      async () => (await asked(supervisor)).includes("resources/subscribe"),
      "subscribed again",
    );
    expect(changes).toHaveLength(2);

    subscribed.value();
    await eventually(async () => (await asked(supervisor)).includes("resources/unsubscribe"), "unsubscribed");
    await supervisor.callTool("mcp_lib_touch", {});
    expect(changes).toHaveLength(2);
  });
});

describe("prompts", () => {
  it("are listed, filled in and completed", async () => {
    const { server } = await librarian();

    expect(await server.listPrompts()).toMatchObject({ ok: true, value: [{ name: "greet" }] });
    expect(await server.getPrompt("greet", { who: "Ada" })).toEqual({
      ok: true,
      value: {
        description: "A greeting",
        messages: [{ role: "user", content: { type: "text", text: "Say hello to Ada" } }],
      },
      warnings: [],
    });
    expect(
      await server.complete(
        { type: "ref/prompt", name: "greet" },
        { name: "who", value: "Ad" },
        { tone: "kind" },
      ),
    ).toEqual({
      ok: true,
      value: { values: ["Ad!", '{"arguments":{"tone":"kind"}}'], total: 2, hasMore: false },
      warnings: [],
    });
  });
});

describe("a server that did not declare them (row 36)", () => {
  it("is not asked: lists are empty at once, the rest is refused", async () => {
    const { supervisor, server } = await librarian("--bare");

    expect(await server.listResources()).toEqual({ ok: true, value: [], warnings: [] });
    expect(await server.listPrompts()).toEqual({ ok: true, value: [], warnings: [] });
    expect(await server.readResource("note://1")).toMatchObject({ ok: false, failure: { code: -32601 } });
    expect(await server.complete({ type: "ref/prompt", name: "x" }, { name: "a", value: "" })).toMatchObject({
      ok: false,
    });
    expect(await asked(supervisor)).toEqual([]);
    expect(server.status().instructions).toBe("Read before you write.");
  });
});

describe("a server that declares what it does not have", () => {
  it("stays ready; each missing list is one warning and is asked for once", async () => {
    const { supervisor, server } = await librarian("--missing");

    expect(await server.listResources()).toMatchObject({ ok: true, value: [] });
    expect(await server.listResources()).toMatchObject({ ok: true, value: [] });
    expect(await server.listPrompts()).toMatchObject({ ok: true, value: [] });
    expect(await asked(supervisor)).toEqual(["resources/list", "prompts/list"]);
    expect(server.status().state).toBe("ready");
    expect(server.status().warnings).toEqual([
      "it declares resources but does not know resources/list",
      "it declares prompts but does not know prompts/list",
    ]);
  });
});

describe("a server that is down", () => {
  it("is woken by a question", async () => {
    const { server } = await librarian();
    await server.disconnect();

    expect(await server.listPrompts()).toMatchObject({ ok: true, value: [{ name: "greet" }] });
  });
});
