import { judgeHome } from "../config/files/home.js";
import { parseDuration } from "../config/fields/duration.js";
import { ConfigError } from "../errors.js";
import { createKeepAlive } from "../process/keepAlive.js";
import { createDeadlines } from "../rpc/deadlines.js";
import { createBus } from "../streams/bus.js";
import { logLine } from "../streams/logLines.js";
import { createCatalog } from "../tools/catalog.js";
import { createApprovals } from "./consent/approvals.js";
import { Authorizations } from "./lives/authorizations.js";
import { createCatalogCache } from "./lives/catalogCache.js";
import { createConfiguration } from "./configuration.js";
import { createServerActors } from "./lives/serverActors.js";
import type { SharedState } from "./state/sharedState.js";
import { Dispatcher } from "./calls/dispatcher.js";
import { createEras } from "./lives/eras.js";
import { Fleet } from "./lives/fleet.js";
import { createHandle } from "./handle.js";
import { createGrants } from "./consent/grants.js";
import { createEntryApprovals } from "./consent/entryApprovals.js";
import { identityWith, remember } from "./identity.js";
import { createInputs } from "./inputs.js";
import { readOptions } from "./options.js";
import { createPermissions } from "./consent/permissions.js";
import { whenReady } from "./ready.js";
import { createPins } from "./consent/pins.js";
import { createRouter } from "./calls/router.js";
import { watchSleep } from "./lives/sleepWatch.js";
import { createStopper } from "./stop.js";
import { createViews } from "./views.js";
import { allowWrappers } from "./transportWrappers.js";
import type { TransportWrapper } from "./lives/transports.js";
import type { SaveOptions, ServerConfig, ServerPatch } from "../config/entries/input.js";
import type { ReadyReport, Supervisor } from "./contract/supervisor.js";
import type { SupervisorOptions } from "./contract/options.js";

const journalSize = 10_000;
/**
 * Makes a supervisor; nothing runs before `start`. Throws ConfigError only for options that make no sense: a wrong
 * server entry is a problem in `problems()` and hides nobody.
 */
export function createSupervisor(options: SupervisorOptions = {}): Supervisor {
  const settings = readOptions(options);
  const { clock } = settings;
  const bus = createBus({ clock, journalSize });
  const deadlines = createDeadlines(clock);
  const keepAlive = createKeepAlive();
  const { approve } = options;
  const timeoutMs = settings.approvalTimeoutMs;
  const pins = createPins({
    home: settings.remember ? settings.home : undefined,
    onProblem: (message) => bus.publish({ type: "mcp.log", id: "", level: "warning", message }),
  });
  const inputs = createInputs(options);
  const eras = createEras(settings.remember ? settings.home : undefined);
  const shared: SharedState = {
    clock,
    deadlines,
    keepAlive,
    identity: identityWith(inputs.capabilities, options.consumers === true),
    bus,
    catalog: createCatalog({ naming: settings.naming }),
    records: new Map(),
    recordFor: (record) => record,
    approvals: createApprovals({ clock, deadlines, keepAlive, bus, timeoutMs, approve }),
    permissions: createPermissions(settings.mode, pins),
    eras,
    inputs,
    logLevel: settings.logLevel,
    closed: undefined,
  };
  const cache = createCatalogCache(shared, settings.remember ? settings.home : undefined);
  const dispatcher = new Dispatcher(shared);
  const router = createRouter(shared, dispatcher, options.callMeta);
  const wrappers = new Set<TransportWrapper>();
  const grants = createGrants();
  const authorizations = new Authorizations(shared, settings, {
    authorize: options.authorize,
    authorizeWhen: options.authorizeWhen ?? "asked",
  });
  const actors = createServerActors(
    shared,
    settings,
    cache,
    wrappers,
    { authorizations, permit: (spec, generation) => grants.permit(spec, generation) },
    () => stopper.onHostSignal(),
  );
  const fleet = new Fleet(shared, dispatcher, actors, cache, settings.parallelStarts);
  actors.onAdded((id, actor) => fleet.adopt(id, actor));
  shared.recordFor = (record, consumer) => (consumer === undefined ? record : fleet.ownOf(record, consumer));
  const configuration = createConfiguration(
    options,
    settings,
    fleet,
    shared,
    createEntryApprovals({
      approvals: shared.approvals,
      grants,
      home: settings.home,
      clock,
      mode: settings.mode,
    }),
  );
  const stopper = createStopper(shared, actors, dispatcher, [
    configuration,
    pins,
    cache,
    eras,
    authorizations,
    watchSleep(shared),
  ]);
  const { logger } = options;
  if (logger !== undefined) bus.listen((fact) => logLine(logger, fact));

  const views = createViews(shared);
  let starting: Promise<void> | undefined;

  async function begin(): Promise<void> {
    // Before anything of it is read: what others can write decides nothing here.
    await judgeHome(settings.home);
    await Promise.all([actors.prepare(), pins.load(), configuration.load()]);
    await fleet.offered();
    if (shared.closed !== undefined) return;
    actors.start();
    fleet.start();
    await configuration.watch();
  }

  function begun(): Promise<void> {
    if (shared.closed !== undefined) return Promise.reject(new ConfigError(`start: ${shared.closed}`));
    return (starting ??= begin());
  }

  const supervisor: Supervisor = {
    start: begun,
    async ready({ timeout = "30s" } = {}): Promise<ReadyReport> {
      const limit = parseDuration(timeout);
      if (!limit.ok) throw new ConfigError(`ready: timeout ${limit.problem}`);
      await begun();
      return whenReady(shared, configuration.problems(), limit.ms);
    },
    tools: views.tools,
    definitions: views.definitions,
    callTool(name, args, callOptions = {}) {
      if (starting !== undefined || shared.closed !== undefined)
        return router.callTool(name, args, callOptions);
      return begun().then(
        () => router.callTool(name, args, callOptions),
        // Why it could not start is for whoever starts it; the call finds no server.
        () => router.callTool(name, args, callOptions),
      );
    },
    servers: views.servers,
    server(id) {
      const record = shared.records.get(id);
      return record === undefined ? undefined : createHandle(record, shared, authorizations);
    },
    saveServer: (config: ServerConfig | ServerPatch, saveOptions?: SaveOptions) =>
      configuration.save(config, saveOptions),
    removeServer: (id) => configuration.remove(id),
    enableServer: (id, enabled) => configuration.enable(id, enabled),
    network: () => configuration.network(),
    setNetwork: (enabled) => configuration.setNetwork(enabled),
    decide: (approvalId, decision) => shared.approvals.decide(approvalId, decision),
    approvals: () => shared.approvals.list(),
    replay: (afterSeq) => bus.replay(afterSeq),
    problems: () => configuration.problems(),
    events$: bus.events$,
    servers$: views.servers$,
    tools$: views.tools$,
    approvals$: views.approvals$,
    stop: (stopOptions = {}) => stopper.stop(stopOptions.force === true),
    async [Symbol.asyncDispose]() {
      await stopper.stop(false);
    },
  };
  allowWrappers(supervisor, wrappers);
  remember(supervisor, shared.identity);
  return supervisor;
}
