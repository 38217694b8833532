import { existsSync } from "node:fs";
import { join } from "node:path";
import { createActor, waitFor } from "xstate";
import type { ServerActor } from "../../machines/server.js";
import { serverActor } from "../../machines/supervisor.js";
import type { SupervisorEmitted } from "../../machines/supervisorContext.js";
import type { Processes } from "../../process/processes.js";
import type { Authorizations } from "./authorizations.js";
import type { CatalogCache } from "./catalogCache.js";
import { acquireCharts } from "./chartPool.js";
import type { SharedState } from "../state/sharedState.js";
import type { ServerMachines } from "./fleet.js";
import type { Settings } from "../state/settings.js";
import { createLifePorts } from "./lifePorts.js";
import { createTransports } from "./transports.js";
import type { TransportWrapper, TransportOptions } from "./transports.js";

/** The machines and the effects behind them, as one thing that can be started and ended. */
export interface ServerActors extends ServerMachines {
  /** Ends what crashed supervisors of this state folder left behind. */
  prepare(): Promise<void>;
  start(): void;
  onAdded(listener: (id: string, actor: ServerActor) => void): void;
  /** Ends all machines; resolves with the processes that are left. A second call forces. */
  stop(): Promise<readonly { readonly id: string; readonly pid: number }[]>;
  /** Ends every process at once. */
  killAll(): void;
  /** Ends whatever is left and gives back what is held of the host process; resolves with what could not be ended. */
  close(): Promise<readonly { readonly id: string; readonly pid: number }[]>;
}

/** What stands between a life and its connection. */
export interface LifeDoors {
  readonly authorizations: Authorizations;
  readonly permit: TransportOptions["permit"];
}

export function createServerActors(
  shared: SharedState,
  settings: Settings,
  cache: CatalogCache,
  wrappers: ReadonlySet<TransportWrapper>,
  { authorizations, permit }: LifeDoors,
  onHostSignal: () => Promise<void>,
): ServerActors {
  const { clock, random, home, handleSignals, containment } = settings;
  const scheduler = {
    setTimeout: clock.setTimeout.bind(clock),
    clearTimeout: clock.clearTimeout.bind(clock),
  };
  let registry: Promise<Processes> | undefined;
  let loaded: Processes | undefined;
  // Loaded with the first process: a fleet of HTTP servers needs none of it.
  const processes = (): Promise<Processes> =>
    (registry ??= import("../../process/processes.js")
      .then(({ createProcesses }) =>
        createProcesses({ clock, home, handleSignals, onHostSignal, containment }),
      )
      .then((made) => {
        if (made.warning !== undefined) warn(made.warning);
        return (loaded = made);
      }));
  const openTransport = createTransports({
    clock,
    // RFC 9110 10.1.5.
    userAgent: `${shared.identity.info.name}/${shared.identity.info.version}`,
    processes,
    sources: settings.transports,
    stderr: settings.stderr,
    wrappers,
    authorization: (spec) => authorizations.of(spec),
    permit,
  });
  const charts = acquireCharts({
    clock,
    random,
    lifePorts(id) {
      const record = shared.records.get(id);
      if (record === undefined) throw new Error(`no server ${id}`);
      return (record.ports ??= createLifePorts(record, shared, openTransport, cache));
    },
    orders(take) {
      const subscription = shared.bus.orders$.subscribe(take);
      return () => subscription.unsubscribe();
    },
  });
  const root = createActor(charts.machine, { clock: scheduler, logger: () => undefined });
  let added: ((id: string, actor: ServerActor) => void) | undefined;

  root.subscribe({ error: (error) => broken("", error) });
  root.on("*", (told: SupervisorEmitted) => {
    if (told.type === "server.broken") return broken(told.id, told.error);
    if (told.type === "server.removed") return charts.forget(told.id);
    const actor = serverActor(root.getSnapshot(), told.id);
    if (actor !== undefined) added?.(told.id, actor);
  });
  root.start();

  function warn(message: string): void {
    shared.bus.publish({ type: "mcp.log", id: "", level: "warning", message });
  }

  function broken(id: string, error: unknown): void {
    const message = `a machine of mcpvisor broke: ${error instanceof Error ? error.message : String(error)}`;
    shared.bus.publish({ type: "mcp.error", id, name: id, error: { kind: "internal", message } });
  }

  return {
    add: (id, name, plan) => root.send({ type: "server.add", id, name, plan }),
    remove: (id) => root.send({ type: "server.remove", id }),
    order: (id, order) => root.send({ type: "server.order", id, order }),
    async prepare() {
      // Without a folder nothing was ever started from here. A containment that was asked for and cannot be had is an
      // error now, not with the first server.
      const chosen = containment !== "auto" && containment !== "off";
      if (chosen || existsSync(join(home, "processes"))) await (await processes()).start();
    },
    start: () => root.send({ type: "start", gated: true }),
    onAdded: (listener) => {
      added = listener;
    },
    async stop() {
      root.send({ type: "stop" });
      const snapshot = await waitFor(root, (each) => each.status !== "active");
      return snapshot.output?.survivors ?? [];
    },
    killAll() {
      charts.killAll();
      loaded?.killAllNow();
    },
    async close() {
      root.stop();
      charts.release();
      return (await (await registry?.catch(nothing))?.close()) ?? [];
    },
  };
}

// A registry that could not be made has nothing to close; whoever asked for it was told.
const nothing = (): undefined => undefined;
