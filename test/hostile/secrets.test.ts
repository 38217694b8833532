import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerConfig } from "../../src/config/entries/input.js";
import { viewOf } from "../../src/config/store/view.js";
import { loadFleet } from "../../src/config/fleet.js";
import { serve } from "../../src/http/index.js";
import { ensureToken } from "../../src/http/guard/token.js";
import type { ServerStatus, Supervisor } from "../../src/index.js";
import { createMasker } from "../../src/policy/secrets.js";
import { quoted, visible } from "../../src/protocol/visible.js";
import { excerpt } from "../../src/transport/http/excerpt.js";
import { createTail } from "../../src/transport/tail.js";
import { eventually, supervise, temporaryFolder } from "../support.js";

const secret = "CANARYtok3n-5v7/x9+Q";
const spellings = [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64"),
  JSON.stringify(secret).slice(1, -1),
];

/** What of the secret is left in a text: its longest run of characters from the beginning or the end. */
function leftOf(text: string): number {
  for (let length = secret.length; length > 3; length--) {
    if (text.includes(secret.slice(0, length)) || text.includes(secret.slice(-length))) return length;
  }
  return 0;
}

function tailOf(text: string, limits: { lines: number; bytes: number }): string {
  const tail = createTail(limits);
  for (let at = 0; at < text.length; at += 700) tail.push(Buffer.from(text.slice(at, at + 700)));
  return tail.lines().join("\n");
}

/** Everything that cuts foreign text before anybody who knows the secrets sees it. */
const cuts: Record<string, { at: number; cut: (text: string) => string }> = {
  "a body of HTTP": { at: 200, cut: (text) => excerpt(text, 200) },
  "a text in a message": { at: 500, cut: quoted },
  "a line that is no MCP": { at: 120, cut: (text) => visible(text, 120) },
  "a line of stderr": {
    at: 0,
    cut: (text) => tailOf(`${text}${"z".repeat(2000)}`, { lines: 5, bytes: 1e6 }),
  },
  "the bytes of stderr": {
    at: 0,
    cut: (text) => tailOf(`${text}${"z".repeat(1000)}`, { lines: 5, bytes: 1010 }),
  },
};

describe("a secret that is cut (D09, D18)", () => {
  it.each(Object.entries(cuts))("leaves no part in %s, wherever the cut falls", (_, { at, cut }) => {
    const mask = createMasker([secret]);
    for (let before = Math.max(0, at - secret.length - 3); before <= at + 3; before++) {
      const masked = mask(cut(`${"e".repeat(before)}${secret}${"f".repeat(60)}`));
      expect([before, leftOf(masked)]).toEqual([before, 0]);
    }
    for (let behind = 0; behind <= secret.length + 3; behind++) {
      const masked = mask(cut(`${"e".repeat(9)}${secret}${"f".repeat(behind)}`));
      expect([behind, leftOf(masked)]).toEqual([behind, 0]);
    }
  });

  it("takes nothing from a text that is cut beside innocent words", () => {
    expect(createMasker([secret])("an error pag… of CANopy")).toBe("an error pag… of CANopy");
  });
});

/** Where a text of an entry can hold a secret; a field of a new kind has to be judged here to compile. */
const places: Record<keyof ServerConfig, object | "no text of the user"> = {
  command: { command: "/nowhere/${env:CANARY}" },
  args: { command: "node", args: ["--token=${env:CANARY}", "x"] },
  cwd: { command: "node", cwd: "/nowhere/${env:CANARY}" },
  env: {
    command: "node",
    args: ["-e", "process.stderr.write(process.env.T); process.exit(3)"],
    env: { T: secret },
  },
  url: { url: "http://127.0.0.1:9/${env:CANARY}/mcp?k=${env:CANARY}" },
  headers: { url: "http://127.0.0.1:9/mcp", headers: { Authorization: `Bearer ${secret}` } },
  proxy: { url: "https://127.0.0.1:9/mcp", proxy: "http://me:${env:CANARY}@127.0.0.1:9" },
  tls: "no text of the user",
  oauth: { url: "http://127.0.0.1:9/mcp", oauth: { clientId: "c", clientSecret: secret } },
  id: "no text of the user",
  name: "no text of the user",
  transport: "no text of the user",
  enabled: "no text of the user",
  auto_approve: "no text of the user",
  timeout: "no text of the user",
  maxTimeout: "no text of the user",
  connectTimeout: "no text of the user",
  trusted: "no text of the user",
  restart: "no text of the user",
  lazy: "no text of the user",
  sharing: "no text of the user",
  required: "no text of the user",
  idleTimeout: "no text of the user",
  maxLifetime: "no text of the user",
  retry: "no text of the user",
  inherit: "no text of the user",
  pass: "no text of the user",
  tools: "no text of the user",
  limits: "no text of the user",
  protocolVersion: "no text of the user",
  coerce: "no text of the user",
  outputSchema: "no text of the user",
  health: "no text of the user",
  chaos: "no text of the user",
  shutdown: "no text of the user",
};

/** What a supervisor tells by itself, or why a member tells nothing of an entry; a new member has to be judged here to compile. */
const sinks: Record<keyof Supervisor, ((supervisor: Supervisor) => unknown) | string> = {
  servers: (supervisor) => supervisor.servers(),
  server: (supervisor) => supervisor.servers().map(({ id }) => supervisor.server(id)?.status()),
  tools: (supervisor) => supervisor.tools(),
  definitions: (supervisor) => supervisor.definitions(),
  approvals: (supervisor) => supervisor.approvals(),
  problems: (supervisor) => supervisor.problems(),
  replay: (supervisor) => supervisor.replay(0).facts,
  servers$: (supervisor) => presentOf(supervisor.servers$),
  tools$: (supervisor) => presentOf(supervisor.tools$),
  approvals$: (supervisor) => presentOf(supervisor.approvals$),
  ready: async (supervisor) => supervisor.ready({ timeout: "1s" }),
  callTool: async (supervisor) => [
    await supervisor.callTool("no_such_tool"),
    await Promise.all(supervisor.tools().map(({ name }) => supervisor.callTool(name, {}, { timeout: "1s" }))),
  ],
  network: (supervisor) => supervisor.network(),
  events$: "the same facts as replay",
  saveServer: "a status, as servers tells it",
  removeServer: "yes or no",
  enableServer: "yes or no",
  setNetwork: "nothing",
  decide: "yes or no",
  start: "nothing",
  stop: "ids and pids",
  [Symbol.asyncDispose]: "nothing",
};

/** What a stream of lists gives at once. */
function presentOf(list$: { subscribe(take: (value: unknown) => void): { unsubscribe(): void } }): unknown {
  let present: unknown;
  list$.subscribe((value) => (present = value)).unsubscribe();
  return present;
}

function leaksIn(value: unknown): string[] {
  const text = JSON.stringify(value) ?? "";
  return spellings.filter((each) => text.includes(each));
}

describe("a secret in any field of an entry", () => {
  it("shows in no status, fact, problem, question or answer of the API, in no spelling (D01, D17, D19, D22)", async () => {
    const home = temporaryFolder();
    process.env["CANARY"] = secret;
    const entries = Object.entries(places).flatMap(([field, entry]) =>
      typeof entry === "string" ? [] : [[`in-${field}`, entry] as const],
    );
    writeFileSync(join(home, "mcp.json"), JSON.stringify({ mcpServers: Object.fromEntries(entries) }), {
      mode: 0o600,
    });
    const supervisor = supervise([], { discover: true, home });
    await supervisor.ready({ timeout: "5s" });
    const service = await serve(supervisor, { home, port: 0 });
    try {
      const token = await ensureToken(home);
      const ask = async (path: string): Promise<string> =>
        (await fetch(new URL(path, service.url), { headers: { authorization: `Bearer ${token}` } })).text();
      const { paths } = JSON.parse(await ask("/openapi.json")) as {
        paths: Record<string, { get?: unknown }>;
      };
      const routes = Object.keys(paths).filter(
        (path) => paths[path]?.get !== undefined && !path.endsWith("/events"),
      );
      const seen: Record<string, unknown> = {};
      for (const [name, read] of Object.entries(sinks))
        if (typeof read === "function") seen[name] = await read(supervisor);
      for (const route of routes) {
        const ids = route.includes("{id}") ? entries.map(([id]) => id) : [""];
        for (const id of ids) seen[`GET ${route} ${id}`] = await ask(route.replace("{id}", id));
      }
      const { specs, problems } = await loadFleet({ discover: true, home });
      seen["check"] = [specs.map((spec) => viewOf(spec)), problems];

      expect(supervisor.servers().filter(({ id }) => id.startsWith("in-"))).toHaveLength(entries.length);
      for (const [sink, value] of Object.entries(seen)) expect([sink, leaksIn(value)]).toEqual([sink, []]);
      expect(JSON.stringify(seen["servers"])).toContain("********");
    } finally {
      delete process.env["CANARY"];
      await service.close();
    }
  });
});

const hidden = "say\u202E\u200B\u{E0041}\u009B\u3164";
const talker = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const text = process.env.T + ${JSON.stringify(hidden)};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize")
    send({ id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, instructions: text,
      serverInfo: { name: text, version: text, title: text } } });
  else if (method === "tools/list")
    send({ id, result: { tools: [{ name: "t", title: ${JSON.stringify(hidden)}, description: ${JSON.stringify(hidden)},
      annotations: { title: ${JSON.stringify(hidden)} },
      inputSchema: { type: "object", description: ${JSON.stringify(hidden)}, properties: { a: { type: "string",
        title: ${JSON.stringify(hidden)}, enum: [${JSON.stringify(hidden)}] } } } }] } });
  else if (id !== undefined) send({ id, error: { code: -32000, message: text } });
});`;

describe("what a server says of itself (D03, D28, E15, X07)", () => {
  it("is masked, and nothing in it is hidden, in status, facts and tools", async () => {
    const entry: ServerConfig = {
      id: "t",
      command: process.execPath,
      args: ["-e", talker],
      env: { T: secret },
    };
    const supervisor = supervise([entry]);
    await supervisor.ready({ timeout: "30s" });
    const status = supervisor.server("t")!.status();
    const facts = supervisor.replay(0).facts.filter((fact) => fact.type === "mcp.connected");
    const failure = await supervisor.callTool("mcp_t_t");

    const said = {
      instructions: status.instructions,
      serverInfo: status.serverInfo,
      tools: supervisor.tools(),
    };
    expect(facts).toHaveLength(1);
    expect(JSON.stringify([said, facts, failure])).not.toMatch(/CANARY/);
    expect(status.instructions).toMatch(/^\*{8}say\\u\{202e\}/);
    expect(JSON.stringify(said)).not.toMatch(/[\u202E\u200B\u{E0041}\u009B\u3164]/u);
  });
});

/** What a door shows of a server, as a form would post it. */
function shown(status: ServerStatus | undefined): ServerConfig {
  const { kind: _, ...target } = (status?.target ?? {}) as { kind?: string };
  return { id: "a", ...target };
}

describe("a shown entry that is posted back (M01)", () => {
  const stored = {
    id: "a",
    command: process.execPath,
    args: ["-e", talker, "--", "--key=sesame-open-1"],
    env: { T: secret },
  };
  it("keeps what is stored, writes no mask, and takes no secret along to another command", async () => {
    const supervisor = supervise([stored]);
    const posted = shown(supervisor.server("a")?.status());
    expect(posted).toMatchObject({ args: ["-e", talker, "--", "--key=********"], env: { T: "********" } });

    await supervisor.saveServer(posted);
    await supervisor.ready({ timeout: "30s" });
    const { instructions } = await eventually(() => {
      const status = supervisor.server("a")?.status();
      return status?.state === "ready" ? status : undefined;
    }, "it is ready");
    expect(instructions).toMatch(/^\*{8}/);

    await expect(supervisor.saveServer({ ...posted, command: "/bin/evil" })).rejects.toThrow(
      /there is no stored value/,
    );
    await expect(supervisor.saveServer({ ...posted, command: "x********" })).rejects.toThrow(
      /there is no stored value/,
    );
  });

  it("sends no stored header to another origin", async () => {
    const entry: ServerConfig = {
      id: "h",
      url: "https://a.example/mcp",
      headers: { A: secret },
      enabled: false,
    };
    const supervisor = supervise([entry]);

    await supervisor.saveServer({ ...entry, url: "https://a.example/other", headers: { A: "********" } });
    await expect(
      supervisor.saveServer({ ...entry, url: "https://b.example/mcp", headers: { A: "********" } }),
    ).rejects.toThrow(/headers\.A is \*{8}/);
  });
});
