import { readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const house = resolve(import.meta.dirname, "..");
const root = join(house, "src");

/**
 * Who may import whom (docs/architecture.md). `types` rooms may be seen as `import type` only; `room/file` opens a
 * single file.
 */
const rooms: Record<
  string,
  { sees: string[]; types?: string[]; packages?: string[]; node?: boolean | string[] }
> = {
  // single files at the top of src/
  causes: { sees: [] },
  errors: { sees: ["causes"] },
  states: { sees: [] },
  loginFacts: { sees: [] },
  callFacts: { sees: ["errors"] },
  events: { sees: ["callFacts", "loginFacts", "errors", "states"] },
  clock: { sees: [] },
  version: { sees: [] },
  spec: { sees: [] },
  // the one set of characters that hide or steer
  hiddenText: { sees: [] },
  // the one list of what well-known tokens look like
  tokenShapes: { sees: [] },
  // files that several processes share
  keep: { sees: [], node: true, packages: ["@napi-rs/keyring"] },
  index: { sees: ["*"] },
  // what the chaos kit needs besides index
  inner: { sees: ["*"] },
  // what `mcpvisor doctor` needs besides index
  doctor: { sees: ["process", "policy"] },
  // pure
  config: {
    sees: [
      "errors",
      "events",
      "spec",
      "hiddenText",
      "keep",
      "protocol",
      "policy",
      "tools",
      "builtin/presets",
    ],
    types: ["clock"],
    packages: ["zod", "jsonc-parser", "smol-toml", "yaml"],
    node: [
      "config/files/load.ts",
      "config/store/store.ts",
      "config/attach/attach.ts",
      "config/attach/place.ts",
      "config/files/watch.ts",
      "config/files/home.ts",
      "config/files/content.ts",
    ],
  },
  protocol: { sees: ["errors", "hiddenText"], packages: ["eventsource-parser"] },
  policy: { sees: ["errors", "events", "spec", "tokenShapes", "tools", "protocol"] },
  tools: {
    sees: ["errors", "events", "spec", "hiddenText", "protocol"],
    packages: ["@cfworker/json-schema"],
  },
  // effects
  process: {
    sees: ["errors", "clock", "spec", "protocol"],
    packages: ["execa"],
    node: true,
  },
  transport: {
    sees: ["errors", "clock", "spec", "hiddenText", "protocol", "process", "policy/tellingLine"],
    packages: ["undici", "eventsource-parser"],
    node: true,
  },
  rpc: { sees: ["errors", "clock", "spec", "protocol"], types: ["transport", "tools"] },
  // loaded with the first refusal or stored account
  auth: {
    sees: ["errors", "events", "clock", "spec", "keep"],
    packages: ["oauth4webapi", "undici"],
    node: true,
  },
  // life
  machines: {
    sees: ["errors", "events", "spec", "policy"],
    types: ["protocol", "tools"],
    packages: ["xstate"],
  },
  actors: {
    sees: [
      "errors",
      "events",
      "clock",
      "spec",
      "config",
      "protocol",
      "policy",
      "tools",
      "process",
      "transport",
      "rpc",
    ],
    types: ["machines", "streams"],
    packages: ["xstate"],
    node: true,
  },
  streams: { sees: ["errors", "events", "clock"], packages: ["rxjs", "pino"] },
  supervisor: {
    sees: [
      "errors",
      "callFacts",
      "hiddenText",
      "events",
      "clock",
      "spec",
      "config",
      "protocol",
      "policy",
      "tools",
      "process",
      "transport",
      "auth",
      "rpc",
      "machines",
      "actors",
      "streams",
      "keep",
      "builtin/presets",
      "version",
    ],
    packages: ["xstate", "rxjs"],
    node: true,
  },
  // faces
  http: {
    sees: ["index", "hiddenText", "keep", "callFacts", "policy/attention"],
    packages: [
      "hono",
      "@hono/node-server",
      "@hono/zod-openapi",
      "prom-client",
      "@opentelemetry/api",
      "rxjs",
      "zod",
      "pino",
    ],
    node: true,
  },
  gateway: { sees: ["index", "keep", "search"], node: true },
  // words over tools: the gateway's search mode and the adapters'
  search: { sees: [], packages: ["minisearch"] },
  frameworks: {
    sees: ["index", "search", "tools/near"],
    packages: [
      "@anthropic-ai/sdk",
      "@cfworker/json-schema",
      "@google/genai",
      "@langchain/core",
      "@openai/agents",
      "ai",
      "openai",
    ],
  },
  cli: {
    sees: [
      "index",
      "hiddenText",
      "http",
      "gateway",
      "testing",
      "builtin",
      "config/index",
      "auth/standalone",
      "doctor",
      "frameworks/index",
      "version",
    ],
    packages: ["commander", "picocolors", "pino", "rxjs"],
    node: true,
  },
  testing: { sees: ["index", "inner"], packages: ["rxjs", "undici", "fast-check"], node: true },
  builtin: {
    sees: ["keep", "tokenShapes", "version"],
    packages: ["@modelcontextprotocol/server", "execa", "undici", "zod"],
    node: true,
  },
};

interface InnerRoom {
  /** One sentence, the same as in docs/architecture.md. */
  purpose: string;
  /** Inner rooms of the same room, or `./file` for one file beside them. */
  sees: string[];
}

/**
 * The folders inside a room. Files beside them are the room's top: they put the inner rooms together and may see all of
 * them. Arrows between inner rooms run one way.
 */
const innerRooms: Record<string, Record<string, InnerRoom>> = {
  supervisor: {
    calls: {
      purpose: "takes a call from its public name to its one result",
      sees: ["state", "contract"],
    },
    consent: {
      purpose: "says what may run: permissions, approvals of calls and entries, pinned definitions",
      sees: ["state", "contract"],
    },
    library: {
      purpose: "reads the resources and prompts of a server and keeps its lists while they are fresh",
      sees: ["state", "contract"],
    },
    lives: {
      purpose:
        "keeps the servers in step with their entries: fleet, machines, transports, start gate, health, sleep",
      sees: ["state", "contract"],
    },
    state: {
      purpose:
        "holds what those rooms share: the state of the supervisor, a record per server, and their interfaces",
      sees: ["contract"],
    },
    contract: { purpose: "the public types of the supervisor: options, calls, status, handles", sees: [] },
  },
  auth: {
    door: { purpose: "requests to addresses that strangers named, and what their answers hold", sees: [] },
    discovery: {
      purpose: "from a refusal to an authorization server, its client and its scopes",
      sees: ["door"],
    },
    grants: {
      purpose: "tokens: kept on disk, renewed once for all processes, given back",
      sees: ["door", "discovery"],
    },
    login: { purpose: "one login of one person", sees: ["door", "discovery", "grants"] },
  },
  transport: {
    http: {
      purpose: "requests, streams and sessions of Streamable HTTP",
      sees: ["./transport", "./authorization"],
    },
  },
  process: {
    platform: { purpose: "how each platform spawns, lists and ends processes", sees: ["./marker"] },
    containment: {
      purpose: "what holds descendants that leave everything behind: control groups, subreaper, namespace",
      sees: ["platform", "./which", "./spawnCause"],
    },
    tree: {
      purpose: "what belongs to a child: recognised, looked for, stopped on sight, ended",
      sees: ["platform", "containment", "./keepAlive"],
    },
    containers: {
      purpose: "command lines that run a container, and the end of what their engine has started",
      sees: ["platform", "./marker"],
    },
    guard: {
      purpose: "what ends children whose host is dead: ledger, watchdog, reaper",
      sees: ["tree", "platform", "containment", "containers"],
    },
  },
  testing: {
    fake: {
      purpose: "scripted MCP servers in memory, over pipes and over HTTP",
      sees: ["./fakeServer", "./random"],
    },
    auth: { purpose: "an authorization server and the server it protects", sees: [] },
    simulation: {
      purpose: "a supervisor in a simulated world, step by step",
      sees: ["fake", "./fakeServer", "./invariants", "./random", "./simulatedClock"],
    },
  },
  config: {
    fields: { purpose: "reads single fields: durations, names, variables, limits, targets", sees: [] },
    files: { purpose: "finds, reads and watches files", sees: [] },
    entries: { purpose: "makes a server's spec of one entry", sees: ["fields"] },
    dialects: {
      purpose: "reads a file in any of the forms in which hosts write MCP servers",
      sees: ["entries", "fields", "files"],
    },
    store: {
      purpose: "writes entries and approvals back",
      sees: ["dialects", "entries", "fields", "files"],
    },
    attach: {
      purpose: "writes mcpvisor into the files of other hosts, and takes it out again",
      sees: ["entries", "fields", "files"],
    },
    import: {
      purpose: "takes over what other hosts have configured",
      sees: ["attach", "dialects", "entries", "fields", "files", "store"],
    },
  },
  http: {
    guard: {
      purpose: "says who may come in: tokens, origins, hosts, logins; and how a refusal reads",
      sees: [],
    },
    feed: { purpose: "tells facts as server-sent events", sees: ["guard"] },
    telemetry: { purpose: "turns facts into metrics and traces", sees: [] },
    routes: {
      purpose: "answers each address of the API, and puts the API together",
      sees: ["feed", "guard", "telemetry"],
    },
    service: {
      purpose: "runs the API as a process of its own, one per state folder",
      sees: ["guard", "routes"],
    },
    client: { purpose: "speaks to a running service from the other side", sees: ["guard", "service"] },
    web: { purpose: "shows the dashboard in the browser", sees: [] },
  },
  cli: {
    context: {
      purpose: "what every command is given: terminal, options, state folder, exit codes, time",
      sees: [],
    },
    screen: { purpose: "turns facts and status into what is printed", sees: ["context"] },
    fleet: {
      purpose: "opens the fleet that a command works on, in this process or in a service",
      sees: ["context", "screen"],
    },
    demo: { purpose: "the fleet that `up --demo` shows", sees: ["context", "fleet"] },
    doctor: { purpose: "looks for what is wrong on this machine", sees: ["context", "screen"] },
    chaos: { purpose: "runs and reports the chaos test", sees: ["context", "screen"] },
    commands: {
      purpose: "what each command does, one file each",
      sees: ["chaos", "context", "demo", "doctor", "fleet", "screen"],
    },
    program: {
      purpose: "the command line as a tree: names, arguments, flags and help of all commands",
      sees: ["commands", "context"],
    },
  },
  gateway: {
    contract: {
      purpose: "MCP as the gateway writes it, and the fleet as it sees it",
      sees: [],
    },
    consumers: {
      purpose: "who may come in, what each may use, and what is handed out sealed",
      sees: ["contract"],
    },
    view: {
      purpose: "what one consumer sees: lists, names, URIs, instructions",
      sees: ["contract", "consumers"],
    },
    requests: {
      purpose: "carries a request to a server and its answer back, with what is asked in between",
      sees: ["contract", "consumers", "view"],
    },
    sessions: {
      purpose: "the conversations of revisions with a handshake, over restarts",
      sees: ["contract", "consumers", "view", "requests"],
    },
    wire: {
      purpose: "the same over HTTP and over lines",
      sees: ["contract", "consumers", "view", "requests", "sessions"],
    },
    front: { purpose: "carries the lines of a host to the running service", sees: ["contract", "wire"] },
  },
  frameworks: {
    contract: { purpose: "tools, calls and schemas as the adapters pass them on", sees: [] },
    schemas: {
      purpose: "what each provider takes of a schema, as data, and the way back of arguments",
      sees: ["contract"],
    },
    offer: {
      purpose: "which tools of a fleet are offered, in what order, and what they cost",
      sees: ["contract", "schemas", "search"],
    },
    search: {
      purpose: "the three tools that stand for all others",
      sees: ["contract", "schemas"],
    },
    calls: {
      purpose: "runs what a model wrote: in parallel, in order, each settled once",
      sees: ["contract", "offer", "search"],
    },
    live: { purpose: "lists that are read anew at every look", sees: [] },
    approvals: { purpose: "consent in a conversation, and later", sees: [] },
    "ai-sdk": { purpose: "the AI SDK", sees: ["contract", "calls", "live"] },
    openai: { purpose: "OpenAI's APIs and Agents SDK", sees: ["contract", "calls", "live"] },
    anthropic: { purpose: "Anthropic's Messages API and tool runner", sees: ["contract", "calls"] },
    google: { purpose: "the Gemini API", sees: ["contract", "calls"] },
    langchain: { purpose: "LangChain and LangGraph", sees: ["contract", "calls", "live"] },
    mastra: { purpose: "Mastra", sees: ["contract", "calls", "live"] },
  },
  builtin: {
    contract: {
      purpose: "what a service, an account, a client and a failure are, as the other rooms speak of them",
      sees: [],
    },
    client: { purpose: "sends requests to a service: signs, retries, explains failures", sees: ["contract"] },
    services: { purpose: "what is known of each service, as data", sees: ["contract"] },
    tokens: {
      purpose: "keeps tokens and renews them, one process at a time",
      sees: ["client", "contract"],
    },
    serve: { purpose: "an MCP server around tools", sees: ["client", "contract", "tokens"] },
    gmail: { purpose: "the Gmail server", sees: ["client", "contract", "serve", "services"] },
    connectors: {
      purpose: "the server of GitHub, Slack, Notion, Linear, Vercel, Cloudflare and Supabase",
      sees: ["client", "contract", "serve", "services"],
    },
    accounts: {
      purpose: "connects, lists and forgets accounts",
      sees: ["client", "contract", "services", "tokens"],
    },
  },
};

/** No folder holds more files beside each other. */
const mostBeside = 24;
const longestFile = 220;

interface Import {
  from: string;
  what: string;
  typeOnly: boolean;
}

const sources = ["src", "bench"].flatMap((top) => walk(join(house, top))).filter(isSource);
const files = sources.filter((file) => file.startsWith(`${root}/`) && !file.includes("/http/web/"));
const imports = files.flatMap(importsOf);

describe("the house", () => {
  it("lets each room import only what the table allows", () => {
    const wrong = imports.flatMap((each) => judge(each));

    expect(wrong).toEqual([]);
  });

  it("lets each inner room import only what its table allows", () => {
    const wrong = imports.flatMap((each) => judgeInside(each));

    expect(wrong).toEqual([]);
  });

  it("knows every inner room, and no other", () => {
    const found = readdirSync(root).flatMap((room) =>
      foldersIn(join(root, room)).map((name) => `${room}/${name}`),
    );
    const known = Object.entries(innerRooms).flatMap(([room, inner]) =>
      Object.keys(inner).map((name) => `${room}/${name}`),
    );

    expect(found.toSorted()).toEqual(known.toSorted());
  });

  it("has arrows between inner rooms that run one way", () => {
    const circles = Object.entries(innerRooms).flatMap(([, inner]) =>
      circlesOf(new Map(Object.entries(inner).map(([name, { sees }]) => [name, sees]))),
    );

    expect(circles).toEqual([]);
  });

  it("tells the purpose of every inner room in docs/architecture.md", () => {
    const text = readFileSync(join(house, "docs/architecture.md"), "utf8").replaceAll(/\s+/g, " ");
    const missing = Object.values(innerRooms)
      .flatMap((inner) => Object.values(inner))
      .filter(({ purpose }) => !text.includes(purpose));

    expect(missing).toEqual([]);
  });

  it("has no circle of imports, types counted", () => {
    const arrows = new Map(
      sources.map((file) => [
        inHouse(file),
        importsOf(file)
          .filter(({ what }) => what.startsWith("."))
          .map(({ what }) => inHouse(sourceOf(resolve(dirname(file), what)))),
      ]),
    );
    expect(circlesOf(arrows)).toEqual([]);
  });

  it(`has at most ${mostBeside} files beside each other`, () => {
    const folders = sources.map((file) => inHouse(dirname(file)));
    const crowded = [...new Set(folders)].filter(
      (each) => folders.filter((folder) => folder === each).length > mostBeside,
    );

    expect(crowded).toEqual([]);
  });

  it(`keeps every file at ${longestFile} lines at most (figures: npm run house)`, () => {
    const lines = files.map((file) => ({
      file: short(file),
      lines: readFileSync(file, "utf8").split("\n").length - 1,
    }));

    expect(lines.filter((each) => each.lines > longestFile)).toEqual([]);
  });

  it("has a source for every file of dist that benches and scripts import", () => {
    const users = ["bench", "scripts"].flatMap((top) => walk(join(house, top))).filter(isSource);
    const built = ["dist", "bench/dist"].map((folder) => join(house, folder));
    const missing = users.flatMap((file) =>
      importsOf(file)
        .map(({ what }) => resolve(dirname(file), what))
        .flatMap((path) =>
          built.filter((folder) => path.startsWith(folder)).map((folder) => path.replace(folder, root)),
        )
        .map(sourceOf)
        .filter((path) => !sources.includes(path)),
    );

    expect(missing).toEqual([]);
  });

  it("judges a forbidden import as forbidden", () => {
    expect(judge({ from: "policy/x.ts", what: "node:fs", typeOnly: false })).toHaveLength(1);
    expect(judge({ from: "http/x.ts", what: "../rpc/channel.js", typeOnly: false })).toHaveLength(1);
    expect(judge({ from: "machines/x.ts", what: "../tools/types.js", typeOnly: true })).toHaveLength(0);
    const from = "supervisor/calls/x.ts";
    expect(judgeInside({ from, what: "../lives/fleet.js", typeOnly: true })).toHaveLength(1);
    expect(judgeInside({ from, what: "../stop.js", typeOnly: true })).toHaveLength(1);
    expect(judgeInside({ from, what: "../state/watch.js", typeOnly: false })).toHaveLength(0);
  });

  it("finds a circle, once", () => {
    const arrows = new Map([
      ["a", ["b", "x"]],
      ["b", ["c"]],
      ["c", ["b", "a"]],
      ["x", []],
    ]);

    expect(circlesOf(arrows)).toEqual([["a", "b", "c"]]);
  });
});

/** An import between two inner rooms of one room, or from one of them to a file beside it. */
function judgeInside({ from, what }: Import): string[] {
  const [room, here, ...deeper] = from.split("/");
  if (!what.startsWith(".") || deeper.length === 0) return [];
  const target = short(resolve(root, dirname(from), what));
  const [other, there, ...rest] = target.split("/");
  if (other !== room || there === here) return [];
  const sees = innerRooms[room!]?.[here!]?.sees ?? [];
  const name = rest.length === 0 ? `./${there!.replace(/\.js$/, "")}` : there!;
  return sees.includes(name) ? [] : [`${from} must not import ${target}`];
}

function judge({ from, what, typeOnly }: Import): string[] {
  const room = roomOf(from);
  const rule = rooms[room];
  if (rule === undefined) return [`${from}: unknown room ${room}`];
  if (what.startsWith(".")) {
    const target = short(resolve(root, dirname(from), what));
    const other = roomOf(target);
    const ok =
      other === room ||
      rule.sees.includes("*") ||
      rule.sees.includes(other) ||
      rule.sees.includes(target.replace(/\.js$/, "")) ||
      (typeOnly && rule.types?.includes(other));
    return ok ? [] : [`${from} must not import ${target}`];
  }
  const name = what.startsWith("node:") ? what.slice(5).split("/")[0]! : packageOf(what);
  if (what.startsWith("node:") || builtinModules.includes(name)) {
    const ok =
      typeOnly ||
      rule.node === true ||
      (Array.isArray(rule.node) && rule.node.some((prefix) => from.startsWith(prefix)));
    return ok ? [] : [`${from} must not import ${what}`];
  }
  // Types of rxjs are part of the public contract (Observable); they cost nothing at run time.
  const ok = (typeOnly && name === "rxjs") || rule.packages?.includes(name);
  return ok ? [] : [`${from} must not import ${what}`];
}

/** The sets of nodes that reach each other (Tarjan), each sorted. */
function circlesOf(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const at = order.size;
    order.set(node, at);
    open.push(node);
    let low = at;
    for (const next of arrows.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next)!);
    }
    lowest.set(node, low);
    if (low === at) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1 || arrows.get(node)?.includes(node) === true) found.push(circle.toSorted());
    }
    return low;
  };
  for (const node of arrows.keys()) if (!order.has(node)) visit(node);
  return found;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const found: Import[] = [];
  const statement = /^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']/gm;
  for (const match of text.matchAll(statement)) {
    found.push({ from: short(file), what: match[2]!, typeOnly: match[1] !== undefined });
  }
  for (const match of text.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g)) {
    found.push({ from: short(file), what: match[1]!, typeOnly: false });
  }
  return found;
}

function roomOf(path: string): string {
  return path.split("/")[0]!.replace(/\.[jt]sx?$/, "");
}

function packageOf(what: string): string {
  const parts = what.split("/");
  return what.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0]!;
}

function short(path: string): string {
  return relative(root, path);
}

function inHouse(path: string): string {
  return relative(house, path);
}

/** The file behind the name that an import gives it. */
function sourceOf(path: string): string {
  const names = [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")];
  return names.find((name) => sources.includes(name)) ?? path;
}

function isSource(file: string): boolean {
  return /\.(tsx?|mjs)$/.test(file) && !file.includes("/node_modules/");
}

function foldersIn(path: string): string[] {
  return statSync(path).isDirectory()
    ? readdirSync(path).filter((name) => statSync(join(path, name)).isDirectory())
    : [];
}

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}
