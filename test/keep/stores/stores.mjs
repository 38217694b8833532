// Every file of the state folder that several processes change: how one writer keeps a thing in it, and which things
// are in it. Read by sharedStores.test.ts, and by writer.mjs as a process of its own.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A module of src/, built alone: MODULES is the folder of them all. */
const module = (path) => import(pathToFileURL(join(process.env.MODULES, path)).href);
const json = async (file) => JSON.parse(await readFile(file, "utf8"));

function configFile(name, read) {
  return {
    name,
    modules: ["config/store/inTurn"],
    async keeper(home) {
      const { saveEntry } = await module("config/store/store.js");
      return (thing) => saveEntry(join(home, name), { id: thing, command: "node" }, { home });
    },
    read: async (home) => read(await json(join(home, name))),
  };
}

export const stores = [
  configFile("settings.json", (value) => value.mcp.servers.map((each) => each.id)),
  configFile("mcp.json", (value) => Object.keys(value.mcpServers)),
  {
    name: "approvals.json",
    modules: ["config/store/inTurn"],
    async keeper(home) {
      const { saveApproval } = await module("config/store/records.js");
      const subject = { transport: "stdio", command: "node", env: {}, headers: {}, reads: [] };
      return (thing) => saveApproval(home, { file: "/p/.mcp.json", name: thing, subject }, { at: 1 });
    },
    read: async (home) => (await json(join(home, "approvals.json"))).approvals.map((each) => each.name),
  },
  {
    name: "pins.json",
    modules: ["supervisor/consent/pinFile"],
    async keeper(home) {
      const { createPins } = await module("supervisor/consent/pins.js");
      const problems = [];
      const pins = createPins({ home, onProblem: (message) => problems.push(message) });
      await pins.load();
      return async (thing) => {
        const entry = { server: "s", tool: { name: thing, inputSchema: { type: "object" } } };
        await pins.keep(entry);
        if (problems.length > 0 || pins.shown(entry) !== "pinned") throw new Error(problems.join());
      };
    },
    read: async (home) => Object.keys((await json(join(home, "pins.json"))).servers.s),
  },
  {
    name: "eras.json",
    modules: ["supervisor/lives/eras"],
    async keeper(home) {
      const { createEras } = await module("supervisor/lives/eras.js");
      return async (thing) => {
        const eras = createEras(home);
        eras.remember(thing, "modern");
        await eras.close();
      };
    },
    read: async (home) => Object.keys(await json(join(home, "eras.json"))),
  },
  {
    name: "catalogs/s.json",
    modules: ["config/store/inTurn"],
    // A list of each configuration, eight at most.
    most: 8,
    async keeper(home) {
      const { createCatalogCache } = await module("supervisor/lives/catalogCache.js");
      const cache = createCatalogCache({}, home);
      return async (thing) => {
        const record = { id: "s", spec: { lazy: true }, warnings: new Map() };
        cache.keep(record, [], { fingerprint: thing });
        await cache.close();
        for (const problem of record.warnings.values()) throw new Error(problem);
      };
    },
    read: async (home) => (await json(join(home, "catalogs/s.json"))).lists.map((each) => each.fingerprint),
  },
  {
    name: "consumers.json",
    modules: ["gateway/consumers/save"],
    async keeper(home) {
      const { saveConsumers } = await module("gateway/consumers/save.js");
      const { loadConsumers } = await module("gateway/consumers/store.js");
      const before = await loadConsumers(home);
      let { records } = before;
      return async (thing) => {
        const known = { records, unnamed: before.unnamed };
        records = [...records, { name: thing, config: { mode: "ask" } }];
        await saveConsumers(home, records, undefined, known);
      };
    },
    read: async (home) => Object.keys((await json(join(home, "consumers.json"))).consumers),
  },
  {
    name: "tokens.json",
    modules: ["builtin/tokens/store"],
    things: ["gmail", "github", "slack", "notion", "linear", "vercel", "cloudflare", "supabase"],
    async keeper(home) {
      const { openTokenStore } = await module("builtin/tokens/store.js");
      const store = openTokenStore({ home, keep: "file" });
      const account = { label: "me", kind: "token", connectedAt: 1, secrets: { accessToken: "t-1" } };
      return (thing) => store.exclusively((held) => held.write(thing, account));
    },
    read: async (home) => Object.keys((await json(join(home, "tokens.json"))).accounts),
  },
  {
    name: "auth/*.json",
    modules: ["auth/grants/store"],
    async keeper(home) {
      const { openAccount } = await module("auth/grants/store.js");
      const key = { url: "https://mcp.example/mcp", account: "default" };
      const file = openAccount(home, key);
      return (thing) =>
        file.exclusively(async (held) => {
          const record = (await held.read()) ?? { version: 1, ...key, clients: {} };
          const client = { clientId: thing, how: "registered", redirectUris: [], method: "none" };
          await held.write({
            ...record,
            clients: { ...record.clients, [`https://${thing}.example`]: client },
          });
        });
    },
    async read(home) {
      const { openAccount } = await module("auth/grants/store.js");
      const record = await openAccount(home, { url: "https://mcp.example/mcp", account: "default" }).read();
      return Object.values(record.clients).map((each) => each.clientId);
    },
  },
];

/** Files that are made once by whoever comes first, and then belong to all. */
export const firstComes = [
  {
    name: "service.token",
    modules: ["http/guard/token"],
    take: async (home) => (await module("http/guard/token.js")).ensureToken(home),
  },
  {
    name: "gateway.key",
    modules: ["gateway/consumers/store"],
    take: async (home) => (await (await module("gateway/consumers/store.js")).loadKey(home)).toString("hex"),
  },
];
