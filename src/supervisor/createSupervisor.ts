import { parseDuration } from "../config/fields/duration.js";
import { ConfigError } from "../errors.js";
import type { FactType } from "../events.js";
import { createKeeper } from "../process/keepAlive.js";
import { createDeadlines } from "../rpc/deadlines.js";
import { createBus } from "../streams/bus.js";
import { logLine } from "../streams/logLines.js";
import { view } from "../streams/views.js";
import { createCatalog } from "../tools/catalog.js";
import { describe } from "../tools/descriptor.js";
import type { ToolDescriptor } from "../tools/types.js";
import { createApprovals } from "./consent/approvals.js";
import { createCatalogCache } from "./lives/catalogCache.js";
import { createConfiguration } from "./configuration.js";
import { createCrew } from "./lives/serverActors.js";
import type { Desk } from "./state/sharedState.js";
import { Dispatcher } from "./calls/dispatcher.js";
import { createEras } from "./lives/eras.js";
import { Fleet } from "./lives/fleet.js";
import { createHandle } from "./handle.js";
import { createEntryApprovals } from "./consent/entryApprovals.js";
import { identityWith } from "./identity.js";
import { createInputs } from "./inputs.js";
import { readOptions } from "./options.js";
import { createPermissions } from "./consent/permissions.js";
import { whenReady } from "./ready.js";
import { createPins } from "./consent/pins.js";
import { createRouter } from "./calls/router.js";
import { watchSleep } from "./lives/sleepWatch.js";
import { statusOf } from "./status.js";
import { createStopper } from "./stop.js";
import { allowTaps } from "./transportWrappers.js";
import type { Tap } from "./lives/transports.js";
import type { ReadyReport, Supervisor } from "./contract/supervisor.js";
import type { ServerStatus } from "./contract/status.js";
import type { SupervisorOptions } from "./contract/options.js";

const journalSize = 10_000;
const serverFacts: readonly FactType[] = [
  "mcp.state",
  "mcp.connected",
  "mcp.disconnected",
  "mcp.tools",
  "mcp.retired",
  "mcp.config",
  "mcp.log",
];
const toolFacts: readonly FactType[] = [
  "mcp.tools",
  "mcp.connected",
  "mcp.disconnected",
  "mcp.retired",
  "mcp.config",
  "mcp.approval.decided",
];

/**
 * Makes a supervisor; nothing runs before `start`. Throws ConfigError only for options that make no sense: a wrong
 * server entry is a problem in `problems()` and hides nobody.
 */
export function createSupervisor(options: SupervisorOptions = {}): Supervisor {
  const settings = readOptions(options);
  const { clock } = settings;
  const bus = createBus({ clock, journalSize });
  const deadlines = createDeadlines(clock);
  const keeper = createKeeper();
  const { approve } = options;
  const timeoutMs = settings.approvalTimeoutMs;
  const pins = createPins({
    home: settings.remember ? settings.home : undefined,
    clock,
    onProblem: (message) => bus.publish({ type: "mcp.log", id: "", level: "warning", message }),
  });
  const inputs = createInputs(options);
  const eras = createEras(settings.remember ? settings.home : undefined);
  const desk: Desk = {
    clock,
    deadlines,
    keeper,
    identity: identityWith(inputs.capabilities),
    bus,
    catalog: createCatalog({ naming: settings.naming }),
    units: new Map(),
    approvals: createApprovals({ clock, deadlines, keeper, bus, timeoutMs, approve }),
    permissions: createPermissions(settings.mode, pins),
    eras,
    inputs,
    logLevel: settings.logLevel,
    closed: undefined,
  };
  const cache = createCatalogCache(desk, settings.remember ? settings.home : undefined);
  const dispatcher = new Dispatcher(desk);
  const router = createRouter(desk, dispatcher, options.callMeta);
  const taps = new Set<Tap>();
  const crew = createCrew(desk, settings, cache, taps, () => stopper.onHostSignal());
  const fleet = new Fleet(desk, dispatcher, crew, cache, settings.parallelStarts);
  crew.onAdded((id, actor) => fleet.adopt(id, actor));
  const configuration = createConfiguration(
    options,
    settings,
    fleet,
    desk,
    createEntryApprovals(desk.approvals, settings.home, clock),
  );
  const stopper = createStopper(desk, crew, dispatcher, [configuration, pins, cache, eras, watchSleep(desk)]);
  const { logger } = options;
  if (logger !== undefined) bus.listen((fact) => logLine(logger, fact));

  const servers = (): readonly ServerStatus[] =>
    [...desk.units.values()].map((unit) => statusOf(unit, desk.catalog));
  const tools = (): readonly ToolDescriptor[] => listTools(desk);
  let starting: Promise<void> | undefined;

  async function begin(): Promise<void> {
    await Promise.all([crew.prepare(), pins.load(), configuration.load()]);
    await fleet.offered();
    if (desk.closed !== undefined) return;
    crew.start();
    fleet.start();
    await configuration.watch();
  }

  const supervisor: Supervisor = {
    start: () => (starting ??= begin()),
    async ready({ timeout = "30s" } = {}): Promise<ReadyReport> {
      const limit = parseDuration(timeout);
      if (!limit.ok) throw new ConfigError(`ready: timeout ${limit.problem}`);
      await (starting ??= begin());
      return whenReady(desk, configuration.problems(), limit.ms);
    },
    tools,
    callTool: (name, args, callOptions = {}) => router.callTool(name, args, callOptions),
    servers,
    server(id) {
      const unit = desk.units.get(id);
      return unit === undefined ? undefined : createHandle(unit, desk);
    },
    saveServer: (config) => configuration.save(config),
    removeServer: (id) => configuration.remove(id),
    enableServer: (id, enabled) => configuration.enable(id, enabled),
    decide: (approvalId, decision) => desk.approvals.decide(approvalId, decision),
    approvals: () => desk.approvals.list(),
    replay: (afterSeq) => bus.replay(afterSeq),
    problems: () => configuration.problems(),
    events$: bus.events$,
    servers$: view(bus, serverFacts, servers),
    tools$: view(bus, toolFacts, tools),
    approvals$: view(bus, ["mcp.approval.requested", "mcp.approval.decided"], () => desk.approvals.list()),
    stop: (stopOptions = {}) => stopper.stop(stopOptions.force === true),
    async [Symbol.asyncDispose]() {
      await stopper.stop(false);
    },
  };
  allowTaps(supervisor, taps);
  return supervisor;
}

function listTools({ catalog, units, permissions }: Desk): readonly ToolDescriptor[] {
  for (const { live } of units.values()) live?.changes?.used();
  const tools: ToolDescriptor[] = [];
  for (const entry of catalog.list()) {
    const unit = units.get(entry.server);
    if (unit === undefined) continue;
    tools.push(describe(entry, unit.spec.name, permissions.shown(unit, entry), permissions.pin(entry)));
  }
  return tools;
}
