import { loadFleet } from "../config/fleet.js";
import type { LoadedFleet } from "../config/fleet.js";
import type { SaveOptions, ServerConfig, ServerPatch } from "../config/entries/input.js";
import { withNetwork } from "../config/entries/network.js";
import { inlineFleet } from "../config/entries/inline.js";
import { parseContext } from "../config/dialects/context.js";
import { configsOf } from "../config/dialects/inlineMap.js";
import type { ServerSpec } from "../spec.js";
import { watchFiles } from "../config/files/watch.js";
import type { FileWatch } from "../config/files/watch.js";
import { ConfigError } from "../errors.js";
import type { ConfigProblem } from "../errors.js";
import type { SharedState } from "./state/sharedState.js";
import type { EntryApprovals } from "./consent/entryApprovals.js";
import type { Fleet } from "./lives/fleet.js";
import type { Settings } from "./state/settings.js";
import { inlineStore, storeFor } from "./stores.js";
import { statusOf } from "./status.js";
import type { ServerStatus } from "./contract/status.js";
import type { SupervisorOptions } from "./contract/options.js";

/** Where the specs of the fleet come from, and how they change while it runs. */
export interface Configuration {
  load(): Promise<void>;
  /** From now on a changed file changes the fleet. */
  watch(): Promise<void>;
  close(): void;
  problems(): readonly ConfigProblem[];
  save(config: ServerConfig | ServerPatch, options?: SaveOptions): Promise<ServerStatus>;
  remove(id: string): Promise<boolean>;
  enable(id: string, enabled: boolean): Promise<boolean>;
  network(): boolean;
  setNetwork(enabled: boolean): void;
}

export function createConfiguration(
  options: SupervisorOptions,
  settings: Settings,
  fleet: Fleet,
  shared: SharedState,
  approvals: EntryApprovals,
): Configuration {
  const { clock, home, network } = settings;
  const { configFiles, discover = false, workspace, limits } = options;
  // `network` changes while it runs.
  const rules = { network, ...(limits === undefined ? {} : { limits }) };
  const hasFiles = discover || (configFiles?.length ?? 0) > 0;
  const mapped = mappedServers(options, home);
  const inline = inlineStore([...mapped.configs, ...(options.servers ?? [])]);
  let problems: readonly ConfigProblem[] = [];
  let specs: readonly ServerSpec[] = [];
  let files: readonly string[] = [];
  let watch: FileWatch | undefined;
  let closed = false;
  let loading: Promise<unknown> = Promise.resolve();

  approvals.onRefused(() => void load());

  // Inline servers are known at once, so that servers() shows them before start.
  const first = inlineFleet(inline.list(), rules);
  take(first.specs, first.problems);

  function take(next: readonly ServerSpec[], told: readonly ConfigProblem[]): ReturnType<Fleet["apply"]> {
    specs = chosen(next, options.only);
    problems = [...mapped.problems, ...told];
    return fleet.apply(specs);
  }

  /** One after the other: two loads at once could apply the older state last. */
  function load(why?: string): Promise<void> {
    const run = async (): Promise<void> => {
      if (closed) return;
      const loaded = await loadFleet({
        servers: inline.list(),
        discover,
        home,
        previous: specs,
        // Only entries of files are approved one by one.
        approvals: hasFiles ? await approvals.records() : [],
        ...rules,
        ...(configFiles === undefined ? {} : { configFiles }),
        ...(workspace === undefined ? {} : { workspace }),
      });
      if (!closed) applyLoaded({ ...loaded, specs: withNetwork(loaded.specs, rules.network) }, why);
    };
    const next = loading.then(run, run);
    loading = next;
    return next;
  }

  function applyLoaded(
    { specs: next, problems: told, files: found, waiting }: LoadedFleet,
    why?: string,
  ): void {
    files = found;
    const known = new Set(problems.map(problemText));
    const change = take(next, told);
    const errors = told.filter((each) => each.severity === "error").map(problemText);
    const news = change.added.length + change.removed.length + change.changed.length > 0;
    if (why !== undefined && (news || errors.some((each) => !known.has(each)))) {
      shared.bus.publish({ type: "mcp.config", file: why, ...change, errors });
    }
    approvals.ask(waiting, () => void load());
  }

  return {
    load() {
      // A slip in a program is seen by nobody who does not ask; as a fact it is in every log and on every face. It is not
      // thrown: what a program puts in may come from its users, and one wrong entry must not hide the others.
      const errors = problems.filter((each) => each.severity === "error").map(problemText);
      const none = { added: [], removed: [], changed: [] };
      if (errors.length > 0) shared.bus.publish({ type: "mcp.config", file: "options", ...none, errors });
      return hasFiles ? load() : Promise.resolve();
    },
    async watch() {
      if (!hasFiles || options.watch === false || closed) return;
      watch = await watchFiles(files, { clock, onChange: (changed) => void load(changed.join(", ")) });
      if (closed) return watch.close();
      // What changed between the first load and the watch would otherwise be seen with the next change only.
      await load();
    },
    close() {
      closed = true;
      watch?.close();
    },
    problems: () => problems,
    network: () => rules.network,
    setNetwork(enabled) {
      if (rules.network === enabled || closed) return;
      rules.network = enabled;
      // At once, without a look at any file; a load that is under way ends with the new rule as well.
      take(withNetwork(specs, enabled), problems);
      const message = `the network was switched ${enabled ? "on" : "off"}`;
      shared.bus.publish({ type: "mcp.log", id: "", level: "info", message });
    },
    async save(config, saveOptions = {}) {
      const store = storeFor(config.id, specs, inline, options, home);
      await store.save(config, saveOptions);
      await load(store.file);
      const record = shared.records.get(config.id);
      if (record === undefined)
        throw new ConfigError(`saveServer: "${config.id}" was saved but is hidden by another file`);
      return statusOf(record, shared.catalog);
    },
    async remove(id) {
      const spec = specs.find((each) => each.id === id);
      if (spec === undefined) return false;
      const store = storeFor(id, specs, inline, options, home);
      const removed = await store.remove(id);
      await load(store.file);
      return removed;
    },
    async enable(id, enabled) {
      if (!specs.some((each) => each.id === id)) return false;
      const store = storeFor(id, specs, inline, options, home);
      const changed = await store.enable(id, enabled);
      await load(store.file);
      return changed;
    },
  };
}

/** Those that are not to be used stay as rows: names of tools depend on all ids. */
function chosen(specs: readonly ServerSpec[], only: SupervisorOptions["only"]): readonly ServerSpec[] {
  if (only === undefined) return specs;
  return specs.map((spec) => (only.includes(spec.id) ? spec : { ...spec, enabled: false }));
}

/** The servers of `mcpServers` that `servers` has no entry of the same id for. */
function mappedServers(options: SupervisorOptions, home: string): ReturnType<typeof configsOf> {
  const { mcpServers, servers = [], workspace } = options;
  if (mcpServers === undefined) return { configs: [], problems: [] };
  const read = configsOf(
    mcpServers,
    parseContext({ home, ...(workspace === undefined ? {} : { workspace }) }),
  );
  const own = new Set(servers.map((each) => each.id));
  return { ...read, configs: read.configs.filter((each) => !own.has(each.id)) };
}

/** `file:line:column path: message`, as far as known. */
function problemText({ file, line, column, path, message }: ConfigProblem): string {
  const place = [file, line, column].filter((each) => each !== undefined).join(":");
  return [place, path, message].filter((each) => each !== undefined && each !== "").join(": ");
}
