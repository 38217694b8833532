import { monitorEventLoopDelay } from "node:perf_hooks";
import { isServing, serverMs } from "../../index.js";
import type { Fact, Supervisor } from "../../index.js";
import { isLaterLife } from "./laterLife.js";
import { loginMetrics } from "./loginMetrics.js";

/** Buckets of the MCP semantic conventions for operations, in seconds. */
export const operationBuckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] as const;

export interface Metrics {
  readonly contentType: string;
  /** The Prometheus text of this moment. */
  text(): Promise<string>;
  close(): void;
}

/** What the service knows beside the supervisor. */
export interface FeedCounts {
  readers(): number;
  dropped(): number;
}

/** Counts from facts, gauges from the status at the time of the scrape. prom-client is loaded here, when wanted. */
export async function createMetrics(supervisor: Supervisor, feed: FeedCounts): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    name: "mcpvisor_calls_total",
    help: "Settled tool calls; outcome is ok or the kind of failure.",
    labelNames: ["server", "tool", "outcome"],
    registers,
  });
  const durations = new Histogram({
    name: "mcp_client_operation_duration_seconds",
    help: "Time that the server took for a call that was sent; waiting is not counted.",
    labelNames: ["server", "tool"],
    buckets: [...operationBuckets],
    registers,
  });
  const waits = new Histogram({
    name: "mcpvisor_call_wait_seconds",
    help: "Time that a call waited: for its server or a free place, or for a person.",
    labelNames: ["server", "tool", "for"],
    buckets: [...operationBuckets],
    registers,
  });
  const restarts = new Counter({
    name: "mcpvisor_server_restarts_total",
    help: "Lives of a server after its first.",
    labelNames: ["server"],
    registers,
  });
  const countLogin = loginMetrics(Counter, registers);
  addServerGauges(supervisor, Gauge, registry);
  gauge("mcpvisor_feed_readers", "Readers of the event feed.", () => feed.readers());
  gauge("mcpvisor_feed_dropped", "Readers dropped because they did not read.", () => feed.dropped());
  gauge("process_resident_memory_bytes", "Resident memory of this process.", () => process.memoryUsage.rss());
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  gauge("nodejs_eventloop_lag_p99_seconds", "Event-loop delay since the last scrape, p99.", () => {
    const seconds = lag.percentile(99) / 1e9;
    lag.reset();
    return Number.isFinite(seconds) ? seconds : 0;
  });

  function gauge(name: string, help: string, read: () => number): void {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  }

  const count = (fact: Fact): void => {
    countLogin(fact);
    if (fact.type === "mcp.state" && isLaterLife(fact)) {
      restarts.inc({ server: fact.id });
    }
    if (fact.type !== "mcp.call.settled") return;
    calls.inc({ server: fact.id, tool: fact.tool, outcome: fact.ok ? "ok" : (fact.failure ?? "internal") });
    const labels = { server: fact.id, tool: fact.tool };
    if (fact.sent !== "no") durations.observe(labels, serverMs(fact) / 1000);
    waits.observe({ ...labels, for: "place" }, fact.queuedMs / 1000);
    if (fact.approvalMs !== undefined) waits.observe({ ...labels, for: "person" }, fact.approvalMs / 1000);
  };
  // Loading took a moment: what happened before is in the journal, and nothing can happen in between these lines.
  for (const fact of supervisor.replay(0).facts) count(fact);
  const subscription = supervisor.events$.subscribe(count);

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close() {
      subscription.unsubscribe();
      lag.disable();
      registry.clear();
    },
  };
}

type GaugeClass = typeof import("prom-client").Gauge;
type Status = ReturnType<Supervisor["servers"]>[number];

function addServerGauges(
  supervisor: Supervisor,
  Gauge: GaugeClass,
  registry: import("prom-client").Registry,
): void {
  perServer("mcpvisor_server_up", "1 when tools can be called at once.", (each) => Number(isUp(each)));
  perServer("mcpvisor_server_parked", "1 when it is parked.", (each) => Number(each.state === "parked"));
  perServer("mcpvisor_calls_in_flight", "Calls sent and not settled.", (each) => each.inFlight);
  perServer("mcpvisor_calls_queued", "Calls waiting for a free slot.", (each) => each.queued);
  registry.registerMetric(
    new Gauge({
      name: "mcpvisor_server_state",
      help: "1 for the state a server is in.",
      labelNames: ["server", "state"],
      registers: [],
      collect() {
        this.reset();
        for (const { id, state } of supervisor.servers()) this.set({ server: id, state }, 1);
      },
    }),
  );

  function perServer(name: string, help: string, read: (status: Status) => number): void {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ["server"],
        registers: [],
        collect() {
          this.reset();
          for (const status of supervisor.servers()) this.set({ server: status.id }, read(status));
        },
      }),
    );
  }
}

function isUp({ state }: Status): boolean {
  return isServing(state);
}
