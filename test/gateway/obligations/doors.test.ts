import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGateway } from "../../../src/gateway/index.js";
import { ensureToken, serve } from "../../../src/http/index.js";
import { eventually, running, temporaryFolder } from "../../support.js";
import { afterTest, answer, behind, modern, post } from "../rig.js";
import type { HandSession, Json, Rig } from "../rig.js";
import { Upstream, said } from "../upstream.js";

const whole = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} };

function library(tag: string): Upstream {
  return new Upstream("http", whole, { instructions: `Instructions of ${tag}.` })
    .tools([{ name: tag, description: `Does ${tag}.` }])
    .list("resources", [{ uri: `${tag}://1`, name: tag }])
    .list("resources/templates", [{ uriTemplate: `${tag}://{id}`, name: tag }])
    .list("prompts", [{ name: tag }])
    .on("resources/read", ({ params }) => ({ error: { code: -32_002, message: `no ${params["uri"]}` } }))
    .on("resources/subscribe", () => ({}))
    .on("resources/unsubscribe", () => ({}))
    .on("tools/call", () => said(tag));
}

/** What of the name stands where, in a request of each method that names something. */
const named: Record<string, (name: string) => Json> = {
  "tools/call": (name) => ({ name: `${name}__${name}`, arguments: {} }),
  "prompts/get": (name) => ({ name: `${name}__${name}` }),
  "resources/read": (name) => ({ uri: `${name}://1` }),
  "resources/subscribe": (name) => ({ uri: `${name}+${name}://1` }),
  "resources/unsubscribe": (name) => ({ uri: `${name}://1` }),
  "completion/complete": (name) => ({
    ref: { type: "ref/prompt", name: `${name}__${name}` },
    argument: { name: "a", value: "" },
  }),
  "tasks/get": (name) => ({ taskId: `${name}+AAAA` }),
  "tasks/update": (name) => ({ taskId: `${name}+AAAA`, inputResponses: {} }),
  "tasks/cancel": (name) => ({ taskId: `${name}+AAAA` }),
};
const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const unnamed = [
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
  "server/discover",
  "ping",
  "logging/setLevel",
];
const bySearch = ["call_tool", "read_tool", "describe_tools", "search_tools"];

async function opened(expose: "all" | "search"): Promise<{ gate: Rig; token: string; session: HandSession }> {
  const ups = { seen: library("seen"), also: library("also"), hidden: library("hidden") };
  const gate = await behind(ups);
  const token = gate.consumer("a", { servers: ["seen", "also"], expose });
  const all = await gate.session(gate.consumer("all"));
  await eventually(
    async () => (await all.ask(1, "prompts/list"))["result"].prompts.length === 3,
    "all lists",
  );
  return { gate, token, session: await gate.session(token) };
}

describe("obligation 11: what a consumer may not see does not exist", () => {
  it("11: every method that the gateway knows is a door of this table", async () => {
    const source = await readFile(join(import.meta.dirname, "../../../src/gateway/requests/core.ts"), "utf8");
    const known = [...source.matchAll(/case "([a-z/A-Z]+)":/g)].map((each) => String(each[1]));
    expect(known.toSorted()).toEqual([...Object.keys(named), ...unnamed].toSorted());
  });

  it("11: each method answers for a hidden name as for a made-up one, in both eras", async () => {
    const { gate, token, session } = await opened("all");
    const eras = {
      legacy: (method: string, params: Json) => session.ask(1, method, params),
      modern: async (method: string, params: Json) => {
        const response = await modern(`${gate.url}/mcp`, token, 1, method, params, { capabilities });
        return { status: response.status, ...(await answer(response)) };
      },
    };
    for (const [era, ask] of Object.entries(eras))
      for (const [method, params] of Object.entries(named)) {
        const [hidden, made] = await Promise.all(
          ["hidden", "madeup"].map((name) => ask(method, params(name))),
        );
        expect([era, method, JSON.stringify(hidden).replaceAll("hidden", "X")]).toEqual([
          era,
          method,
          JSON.stringify(made).replaceAll("madeup", "X"),
        ]);
        // What was never subscribed to is ended in silence.
        expect("error" in hidden! || method === "resources/unsubscribe").toBe(true);
      }
  });

  it("11: no list, handshake, description or instruction names a hidden server or what it has", async () => {
    for (const expose of ["all", "search"] as const) {
      const { gate, token, session } = await opened(expose);
      const texts = [JSON.stringify(session.welcome)];
      for (const method of unnamed) {
        texts.push(JSON.stringify(await session.ask(1, method, { level: "info" })));
        texts.push(await (await modern(`${gate.url}/mcp`, token, 1, method)).text());
      }
      expect(texts.join("\n")).toContain("seen");
      expect(texts.join("\n")).not.toContain("hidden");
    }
  });

  it("11: the search tools neither find, describe nor call what is hidden", async () => {
    const { session } = await opened("search");
    const use = async (tool: string, name: string) => {
      const full = `${name}__${name}`;
      const args = { name: full, names: [full], query: name, server: name };
      return JSON.stringify(await session.ask(1, "tools/call", { name: tool, arguments: args }));
    };
    for (const tool of bySearch)
      expect((await use(tool, "hidden")).replaceAll("hidden", "X")).toBe(
        (await use(tool, "madeup")).replaceAll("madeup", "X"),
      );
  });

  it("11: the path of a hidden server is that of none, for every method of HTTP", async () => {
    const { gate, token } = await opened("all");
    for (const method of ["POST", "GET", "DELETE", "PUT"]) {
      const found = await Promise.all(
        ["hidden", "madeup"].map(async (name) => {
          const response = await fetch(`${gate.url}/mcp/s/${name}`, {
            method,
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "*/*" },
            ...(method === "GET" ? {} : { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }),
          });
          return [response.status, await response.text()];
        }),
      );
      expect(found[0]).toEqual(found[1]);
      expect(found[0]?.[0]).toBe(404);
    }
  });

  it("11: the API, its feed and the link of fronts are closed to every consumer", async () => {
    const home = temporaryFolder();
    const supervisor = await running([], { home, consumers: true });
    const gateway = await openGateway(supervisor, { home, ownerToken: await ensureToken(home) });
    const added = gateway.consumers.add("a", {});
    const token = "token" in added ? (added.token ?? "") : "";
    const service = await serve(supervisor, {
      home,
      mounts: [gateway],
      consumers: gateway.consumers,
      dashboard: false,
    });
    afterTest(() => service.close());
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Json;
    const paths = Object.entries(document["paths"] as Json).filter(([path]) => path !== "/api/mcp/login");
    expect(paths.length).toBeGreaterThan(15);
    for (const [path, operations] of [...paths, ["/metrics", { get: {} }]] as [string, Json][])
      for (const method of Object.keys(operations)) {
        const ask = async (bearer: string) => {
          const response = await fetch(service.url + path.replaceAll(/\{[^}]+\}/g, "x"), {
            method: method.toUpperCase(),
            headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
          });
          return [path, method, response.status, await response.text()];
        };
        if (path === "/healthz" || path === "/readyz" || path === "/openapi.json") continue;
        expect((await ask(token))[2]).toBe(401);
        expect(await ask(token)).toEqual(await ask("made-up"));
      }
    const link = await post(`${service.url}/mcp/link`, token, {});
    expect(link.status).toBeGreaterThanOrEqual(400);
  });
});
